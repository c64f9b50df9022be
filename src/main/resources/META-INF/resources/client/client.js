// The client: one connection, its rooms, and what they share.

import { Connection } from "./connection.js";
import { PostroomError } from "./errors.js";
import { Emitter } from "./events.js";
import { Farewells } from "./farewells.js";
import { leaveFrame } from "./frames.js";
import { randomId } from "./ids.js";
import { Keeper } from "./keeper.js";
import { listen } from "./lifecycle.js";
import { Pump } from "./pump.js";
import { bestStorage } from "./storage.js";
import { Subscription } from "./subscription.js";
import { isRoomName } from "./text.js";
import { systemClock } from "./timer.js";
import { Turns } from "./turns.js";

/** @import {Author, Limits, PostroomEvents, PostroomOptions, Room} from "./postroom.d.ts" */
/** @import {Desk} from "./desk.js" */
/** @import {Refusal, RoomFrame, Welcome} from "./frames.js" */

const MAX_AGE_MS = 3_600_000;
const ACK_TIMEOUT_MS = 20_000;
/** Left free in the window of unanswered frames, for a ping, an auth and a leave. */
const SPARE_FRAMES = 3;

export class Postroom {
  /** @type {Map<string, Subscription>} */
  #subscriptions = new Map();
  #farewells = new Farewells();
  /** @type {Emitter<PostroomEvents>} */
  #emitter;
  #connection;
  #desk;
  #keeper;
  /** @type {() => void} */
  #stopListening;
  /** @type {Author | null} */
  #me = null;
  /** @type {Limits | null} */
  #limits = null;
  /** @type {string | null} */
  #participant;
  #places = 0;
  #pump;

  /** @param {PostroomOptions} options */
  constructor(options) {
    const clock = options.clock ?? systemClock;
    const newId = options.newId ?? randomId;
    const turns = new Turns();
    this.#participant = options.participant ?? null;
    this.#emitter = new Emitter(turns, complain);
    const report = (/** @type {Error} */ error) => this.#report(error);
    this.#keeper = new Keeper(
      newId(),
      options.storage ?? bestStorage(),
      clock,
      options.locks === undefined ? (globalThis.navigator?.locks ?? null) : options.locks,
      { failed: report, freed: () => this.#look() },
    );
    const rooms = () => [...this.#subscriptions.values()];
    this.#pump = new Pump(rooms, () => this.#window(), report);
    const means = {
      url: options.url, token: options.token, clock,
      random: options.random ?? Math.random,
      WebSocket: options.WebSocket ?? globalThis.WebSocket,
    };
    this.#connection = new Connection(means, {
      state: (state) => this.#emitter.emit("state", state),
      welcome: (welcome) => this.#welcomed(welcome),
      frame: (frame) => this.#hear(frame),
      lost: (unreadable) => this.#lost(unreadable),
      error: report,
    });
    this.#desk = this.#newDesk(options, clock, newId, turns, report);
    const window = options.window === undefined ? globalThis : options.window;
    this.#stopListening = listen(window, { seen: () => this.#seen(), left: () => this.#left() });
    this.#connection.connect();
  }

  get state() {
    return this.#connection.state;
  }

  get me() {
    return this.#me;
  }

  get limits() {
    return this.#limits;
  }

  /** @returns {readonly Room[]} */
  get rooms() {
    return [...this.#subscriptions.values()].map((each) => each.room);
  }

  get unsent() {
    return [...this.#subscriptions.values()].reduce((sum, each) => sum + each.outgoing.unsent, 0);
  }

  /**
   * @param {string} name
   * @returns {Room}
   */
  join(name) {
    if (!isRoomName(name)) {
      throw new PostroomError("invalid", "A room's name is 1 to 128 of A-Z a-z 0-9 . _ : -");
    }
    let subscription = this.#subscriptions.get(name);
    if (!subscription) {
      subscription = new Subscription(name, this.#desk);
      this.#subscriptions.set(name, subscription);
      if (this.#connection.state.name === "online") {
        subscription.welcomed();
      }
      this.#pump.run();
    }
    return subscription.room;
  }

  reconnect() {
    this.#connection.connect();
  }

  close() {
    this.#stopListening();
    this.#connection.close();
    this.#keeper.away();
  }

  /**
   * @template {keyof PostroomEvents} E
   * @param {E} event
   * @param {(value: PostroomEvents[E]) => void} handler
   */
  on(event, handler) {
    return this.#emitter.on(event, handler);
  }

  /** @param {Welcome} welcome */
  #welcomed({ participant, limits }) {
    const isSomebodyElse = this.#participant !== null && this.#participant !== participant.id;
    this.#me = participant;
    this.#participant = participant.id;
    this.#limits = limits;
    for (const subscription of [...this.#subscriptions.values()]) {
      if (isSomebodyElse) {
        subscription.forget();
      }
      subscription.welcomed();
    }
    this.#pump.run();
  }

  /** @param {RoomFrame | Refusal} frame */
  #hear(frame) {
    const subscription = frame.room === undefined ? null : this.#subscriptions.get(frame.room);
    if (this.#farewells.swallows(frame)) {
      return;
    }
    if (frame.type !== "error") {
      subscription?.hear(frame);
    } else if (subscription) {
      subscription.refuse(frame);
    } else if (frame.room === undefined && frame.code !== "unauthorized") {
      // Of rooms that were left nobody wants to hear; and `unauthorized` is followed by a close, or
      // by another try to renew.
      this.#report(new PostroomError(frame.code, frame.message));
    }
    this.#pump.run();
  }

  /** @param {boolean} unreadable */
  #lost(unreadable) {
    const all = [...this.#subscriptions.values()];
    if (unreadable) {
      const [worst] = all
        .map(({ outgoing }) => ({ outgoing, entry: outgoing.longestInFlight() }))
        .sort((one, other) => (other.entry?.text.length ?? -1) - (one.entry?.text.length ?? -1));
      if (worst?.entry) {
        worst.outgoing.parkUnreadable(worst.entry);
      }
    }
    this.#farewells.clear();
    all.forEach((subscription) => subscription.lost());
  }

  /** How many frames may wait for their answer at once. */
  #window() {
    const most = this.#limits?.pendingCommands ?? 0;
    return this.#connection.canSend && this.#limits ? Math.max(1, most - SPARE_FRAMES) : 0;
  }

  /**
   * @param {PostroomOptions} options
   * @param {Desk["clock"]} clock
   * @param {() => string} newId
   * @param {Turns} turns
   * @param {(error: Error) => void} report
   * @returns {Desk}
   */
  #newDesk(options, clock, newId, turns, report) {
    const participant = () => this.#participant;
    const limits = () => this.#limits;
    const generation = () => this.#connection.generation;
    return {
      clock, newId, turns, report,
      keeper: this.#keeper,
      maxAgeMs: options.maxAgeMs ?? MAX_AGE_MS,
      ackTimeoutMs: options.ackTimeoutMs ?? ACK_TIMEOUT_MS,
      nextPlace: () => this.#places++,
      get participant() {
        return participant();
      },
      get limits() {
        return limits();
      },
      get generation() {
        return generation();
      },
      say: (frame) => this.#connection.say(frame),
      pump: () => this.#pump.run(),
      distrust: (reason) => this.#connection.drop(reason),
      leaving: (room, histories) => {
        if (this.#connection.say(leaveFrame(room))) {
          this.#farewells.left(room, histories);
        }
      },
      outgoingOf: (name) => this.#subscriptions.get(name)?.outgoing ?? null,
      left: (subscription) => {
        if (this.#subscriptions.get(subscription.name) === subscription) {
          this.#subscriptions.delete(subscription.name);
        }
      },
    };
  }

  #seen() {
    this.#keeper.back();
    this.#connection.hurry();
    this.#look();
  }

  /** A tab that is gone meanwhile may have left something behind. */
  #look() {
    this.#subscriptions.forEach(({ outgoing }) => outgoing.load());
  }

  /** A page is kept for a return only without a socket and a lock, and till then others may send. */
  #left() {
    this.#connection.drop("the page was left");
    this.#keeper.away();
  }

  /** @param {Error} error */
  #report(error) {
    if (this.#emitter.hasHandlers("error")) {
      this.#emitter.emit("error", error);
    } else {
      complain(error);
    }
  }
}

/** @param {Error} error */
function complain(error) {
  console.error(error);
}
