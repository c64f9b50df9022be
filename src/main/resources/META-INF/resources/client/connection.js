// One socket at a time, kept alive and replaced when it is lost.
//
//   connecting ── welcome ──▶ online
//     ▲   │                     │
//     │   └── failed ──┐   lost │        closed ◀── close(), or by the server for good
//     │                ▼        ▼        unauthorized ◀── tokens refused again, or nobody signed in
//     └── time is up ─ waiting ─┘        reconnect() leads from each of them to connecting
//
// Every socket has a generation; what a socket of an earlier one still says is dropped, and all
// that happens goes through one inbox, in order (ORD-08, REC-07).

import { waitOf } from "./backoff.js";
import { Comeback } from "./comeback.js";
import { PostroomError, UnauthorizedError } from "./errors.js";
import { authFrame, decode, pingFrame } from "./frames.js";
import { Heartbeat } from "./heartbeat.js";
import { Renewal } from "./renewal.js";
import { closeQuietly, messageOf, openSocket } from "./socket.js";
import { Stopwatch } from "./stopwatch.js";
import { Timer } from "./timer.js";
import { Turns } from "./turns.js";

/** @import {Clock, Socket, State} from "./postroom.d.ts" */
/** @import {Refusal, RoomFrame, Welcome} from "./frames.js" */

/** A socket that is not welcomed in this time, its token included, has failed. */
const CONNECT_MS = 20_000;
/** A network that comes back cuts an attempt short that has taken this long (NET-05). */
const DOUBT_MS = 3_000;
/** How long after its `withinMs` a node that drains may take to close. */
const DRAIN_GRACE_MS = 2_000;

/**
 * `lost` comes before the state that follows from it; `unreadable`: the server could not read a
 * frame.
 *
 * @typedef {{state(state: State): void, welcome(welcome: Welcome): void,
 *   frame(frame: RoomFrame | Refusal): void, lost(unreadable: boolean): void,
 *   error(error: Error): void}} Listener
 * @typedef {{url: string, token: () => Promise<string>, clock: Clock, random: () => number,
 *   WebSocket: new (url: string, protocols: string[]) => Socket}} Means
 */

export class Connection {
  #means;
  #listener;
  #comeback;
  #heartbeat;
  #renewal;
  #retry;
  #limit;
  #inbox = new Turns();
  /** @type {State} */
  #state = { name: "connecting" };
  /** @type {Socket | null} */
  #socket = null;
  #generation = 0;
  /** @type {Stopwatch | null} */
  #online = null;
  /** @type {number | null} */
  #drainedMs = null;
  #askedToWait = false;
  #trying;
  #ended = false;

  /**
   * @param {Means} means
   * @param {Listener} listener
   */
  constructor(means, listener) {
    const { clock, random, token } = means;
    this.#means = means;
    this.#listener = listener;
    this.#comeback = new Comeback(random);
    this.#trying = new Stopwatch(clock);
    this.#retry = new Timer(clock);
    this.#limit = new Timer(clock);
    this.#heartbeat = new Heartbeat(clock, () => this.say(pingFrame()), (why) => this.drop(why));
    this.#renewal = new Renewal(clock, token, (fresh) => this.say(authFrame(fresh)));
  }

  get state() {
    return this.#state;
  }

  get generation() {
    return this.#generation;
  }

  /** Online, and not about to be closed by a node that drains. */
  get canSend() {
    return this.#state.name === "online" && this.#drainedMs === null;
  }

  /** Connects now, with a new token, whatever the state; only not after `close`. */
  connect() {
    if (this.#ended) {
      return;
    }
    if (this.#letGo(false)) {
      this.#comeback.reset();
      this.#attempt();
    }
  }

  /** The network seems to be back, or people look again. What the server asked for is kept to. */
  hurry() {
    if (this.#state.name === "waiting" && !this.#askedToWait) {
      this.#attempt();
    } else if (this.#state.name === "online") {
      this.#heartbeat.probe();
    } else if (this.#state.name === "connecting" && this.#limit.isPending) {
      // Perhaps over a network that is gone.
      if (this.#trying.passed > DOUBT_MS && this.#letGo(false)) {
        this.#attempt();
      }
    }
  }

  /** @param {string} reason for giving the socket up and coming back as after any loss */
  drop(reason) {
    if (this.#socket) {
      this.#lost(1006, reason);
    }
  }

  /** Ends it for good. */
  close() {
    if (!this.#ended) {
      this.#ended = true;
      this.#letGo(false, 1000);
      this.#become({ name: "closed", reason: "closed" });
    }
  }

  /**
   * Writes a frame. A socket that gave no sign of life is given up instead (NET-04).
   *
   * @param {object} frame
   * @returns {boolean} false when it was not written
   */
  say(frame) {
    if (this.#state.name !== "online" || !this.#socket) {
      return false;
    }
    if (this.#heartbeat.isStale) {
      this.drop("no sign of life");
      return false;
    }
    try {
      this.#socket.send(JSON.stringify(frame));
      return true;
    } catch (cause) {
      this.drop(messageOf(cause));
      return false;
    }
  }

  async #attempt() {
    const generation = ++this.#generation;
    const isOurs = () => generation === this.#generation && !this.#ended;
    this.#trying.start();
    this.#retry.stop();
    this.#limit.start(CONNECT_MS, () => this.#lost(1006, "no welcome in time"));
    this.#become({ name: "connecting" });
    let token;
    try {
      await undefined; // the page's function is not called out of the constructor
      token = isOurs() ? await this.#means.token() : "";
      if (isOurs() && !token) {
        throw new UnauthorizedError();
      }
    } catch (cause) {
      if (isOurs()) {
        this.#inbox.take(() => isOurs() && this.#noToken(cause));
      }
      return;
    }
    if (isOurs()) {
      const inTurn = (/** @type {() => void} */ task) =>
        this.#inbox.take(() => isOurs() && task());
      try {
        this.#socket = openSocket(this.#means.WebSocket, this.#means.url, token, {
          heard: (data) => inTurn(() => this.#hear(data)),
          closed: (code, reason) => inTurn(() => this.#lost(code, reason)),
        });
      } catch (cause) {
        this.#lost(1006, messageOf(cause));
      }
    }
  }

  /** @param {unknown} cause */
  #noToken(cause) {
    const reason = messageOf(cause);
    if (cause instanceof UnauthorizedError) {
      this.#letGo(false);
      this.#become({ name: "unauthorized", reason });
    } else {
      // All is settled before anybody is told, who may want something else.
      this.#lost(1006, `no token: ${reason}`);
      this.#listener.error(new PostroomError("token", `No token: ${reason}`, { cause }));
    }
  }

  /** @param {unknown} data */
  #hear(data) {
    const frame = decode(data);
    this.#heartbeat.heard();
    if (frame === "unknown") {
      return;
    }
    if (frame === "malformed") {
      const message = "The server sent what is no frame.";
      this.#listener.error(new PostroomError("malformed", message));
    } else if (frame.type === "welcome") {
      this.#welcomed(frame);
    } else if (frame.type === "drain") {
      this.#drainedMs = frame.retryAfterMs;
      const limitMs = waitOf(frame.withinMs) + DRAIN_GRACE_MS;
      this.#limit.start(limitMs, () => this.#lost(1012, "the node restarts"));
    } else if (frame.type !== "pong") {
      this.#listener.frame(frame);
    }
  }

  /** @param {Welcome} welcome */
  #welcomed(welcome) {
    this.#renewal.start(welcome.tokenExpiresAt);
    this.#comeback.welcomed();
    if (this.#state.name === "online") {
      return; // the answer to auth
    }
    this.#limit.stop();
    this.#online = new Stopwatch(this.#means.clock);
    this.#heartbeat.start(welcome.heartbeatMs);
    this.#state = Object.freeze({ name: "online" });
    this.#listener.welcome(welcome);
    if (this.#state.name === "online") {
      this.#listener.state(this.#state);
    }
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  #lost(code, reason) {
    const onlineMs = this.#online?.passed ?? null;
    const plan = this.#comeback.after({ code, reason, drainedMs: this.#drainedMs, onlineMs });
    if (!this.#letGo(code === 1009)) {
      return; // whoever was told has done something else already
    }
    if (plan.kind === "wait") {
      this.#askedToWait = plan.asked;
      // Set before anybody is told: whoever is told may want something else.
      this.#retry.start(plan.delayMs, () => this.#attempt());
      const until = this.#means.clock.now() + plan.delayMs;
      this.#become({ name: "waiting", until, reason: plan.reason });
    } else {
      this.#become({ name: plan.kind === "stop" ? "closed" : "unauthorized", reason: plan.reason });
    }
  }

  /**
   * From here on the socket has nothing to say any more.
   *
   * @param {boolean} unreadable
   * @param {number} [code] to close it with
   * @returns {boolean} false when somebody who was told has gone on in another way meanwhile
   */
  #letGo(unreadable, code) {
    const generation = ++this.#generation;
    const socket = this.#socket;
    const wasOnline = this.#state.name === "online";
    this.#socket = null;
    this.#online = null;
    this.#drainedMs = null;
    this.#retry.stop();
    this.#limit.stop();
    this.#heartbeat.stop();
    this.#renewal.stop();
    if (wasOnline) {
      this.#state = Object.freeze({ name: "connecting" });
    }
    closeQuietly(socket, code);
    if (wasOnline) {
      this.#listener.lost(unreadable);
    }
    return generation === this.#generation;
  }

  /** @param {State} state */
  #become(state) {
    this.#state = Object.freeze(state);
    this.#listener.state(this.#state);
  }
}
