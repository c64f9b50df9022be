// One room of a client: joins it on every socket, applies what the server says to the view, one
// message at a time, and never shows a hole.

import { PostroomError } from "./errors.js";
import { Emitter } from "./events.js";
import { Outgoing } from "./outgoing.js";
import { Requests } from "./requests.js";
import { Room } from "./room.js";
import { View } from "./view.js";

/** @import {RoomEvents, RoomState} from "./postroom.d.ts" */
/** @import {Desk} from "./desk.js" */
/** @import {Answer} from "./entry.js" */
/** @import {Ack, Body, Delta, History, Live, Refusal, RoomFrame, Snapshot} from "./frames.js" */

/** When the server names no wait before the next join. */
const REJOIN_MS = 1_000;

/** @type {RoomState} */
const JOINING = Object.freeze({ name: "joining" });
/** @type {RoomState} */
const LIVE = Object.freeze({ name: "live" });

export class Subscription {
  /** @type {Emitter<RoomEvents>} */
  emitter;
  /** @type {RoomState} */
  state = JOINING;
  #name;
  #desk;
  #requests;

  /**
   * @param {string} name
   * @param {Desk} desk
   */
  constructor(name, desk) {
    this.#name = name;
    this.#desk = desk;
    this.emitter = new Emitter(desk.turns, desk.report);
    this.view = new View((body) => body.author.id === desk.participant);
    this.#requests = new Requests(name, desk, this.view);
    this.outgoing = new Outgoing(name, desk, this.view, () => this.#changed());
    this.room = new Room(this);
    this.outgoing.load();
  }

  get name() {
    return this.#name;
  }

  /** Frames that wait for their answer. */
  get inFlight() {
    return this.#requests.inFlight + this.outgoing.inFlight;
  }

  /** There is a socket, and the server has said who this is. */
  welcomed() {
    this.#requests.join();
    this.outgoing.signedIn();
    this.outgoing.load();
  }

  /** Somebody else is signed in now: nothing that was in view is theirs. */
  forget() {
    this.view.clear();
    this.outgoing.forget();
    this.emitter.emit("reset", this.room);
  }

  /** The socket is gone. */
  lost() {
    this.outgoing.lost();
    this.#become(JOINING);
    this.#requests.lost();
  }

  /**
   * Writes what may be written.
   *
   * @param {number} most frames
   */
  pump(most) {
    const written = this.#requests.pump(most);
    if (this.state.name === "live") {
      this.outgoing.pump(most - written);
    }
  }

  /**
   * @param {number | undefined} limit
   * @returns {Promise<boolean>}
   */
  loadEarlier(limit) {
    return this.state.name === "left" ? Promise.resolve(false) : this.#requests.loadEarlier(limit);
  }

  leave() {
    if (this.state.name !== "left") {
      if (this.#requests.isKnown) {
        this.#desk.leaving(this.#name, this.#requests.histories);
      }
      this.view.clear();
      this.#end("requested");
    }
  }

  /** @param {string} reason */
  #end(reason) {
    // It is over before anybody is told: whoever joins again then gets a new room.
    this.state = Object.freeze({ name: "left", reason });
    this.#desk.left(this);
    this.#requests.lost();
    this.outgoing.end(reason === "requested" ? "not_joined" : reason);
    this.#changed();
  }

  /** @param {RoomFrame} frame */
  hear(frame) {
    switch (frame.type) {
      case "snapshot":
        return this.#snapshot(frame);
      case "delta":
        return this.#delta(frame);
      case "message":
        return this.#live(frame);
      case "ack":
        return this.#ack(frame);
      case "history":
        return this.#older(frame);
      default:
        return this.#end(frame.reason);
    }
  }

  /** @param {Snapshot} frame */
  #snapshot(frame) {
    this.#requests.answered("join");
    if (this.view.cursor?.epoch !== frame.epoch) {
      this.outgoing.unsee();
    }
    this.view.replace(frame);
    this.#requests.replaced();
    this.state = LIVE; // before anybody is told, who may reconnect or leave
    this.view.messages.filter(({ own }) => own).forEach((each) => this.outgoing.saw(each));
    // Of an ack of another epoch the snapshot knows more than the ack.
    this.outgoing.settle(({ epoch, seq }) => epoch !== frame.epoch || seq <= frame.after);
    if (this.room.state.name !== "left") {
      this.emitter.emit("reset", this.room);
      this.#changed();
    }
  }

  /** @param {Delta} frame */
  #delta(frame) {
    const { epoch, after, messages, more } = frame;
    if (!this.view.cursor) {
      return; // the answer to a join of before: this one gets a snapshot
    }
    if (!more) {
      this.#requests.answered("join");
    }
    // A hole in it would be there in the next delta, too: only a new view mends that.
    if (!this.#handOver(epoch, messages, true)) {
      return;
    }
    if (this.view.place(epoch, after) !== "known") {
      this.#refresh(true);
    } else if (!more && !this.#requests.isJoining) {
      this.#become(LIVE);
    }
  }

  /** @param {Live} frame */
  #live(frame) {
    if (this.view.cursor) {
      this.#handOver(frame.epoch, [frame], false);
    }
  }

  /**
   * The cursor moves by one message right before that message is told, so that a handler that
   * throws, leaves or reconnects in the middle loses nothing: what is not told is asked for again.
   *
   * @param {string} epoch
   * @param {Body[]} bodies
   * @param {boolean} fresh whether a hole asks for a new view
   * @returns {boolean} whether all were told
   */
  #handOver(epoch, bodies, fresh) {
    const { generation } = this.#desk;
    for (const body of bodies) {
      if (this.state.name === "left" || generation !== this.#desk.generation) {
        return false;
      }
      const place = this.view.place(epoch, body.seq);
      if (place === "hole") {
        this.#refresh(fresh);
        return false;
      }
      if (place === "next") {
        this.#tell(epoch, body);
      }
    }
    return this.state.name !== "left" && generation === this.#desk.generation;
  }

  /**
   * @param {string} epoch
   * @param {Body} body
   */
  #tell(epoch, body) {
    const message = this.view.append(epoch, body);
    if (message.own) {
      this.outgoing.saw(message);
    }
    this.outgoing.settle((ack) => this.#isCovered(ack));
    if (this.state.name !== "left") {
      this.emitter.emit("message", message);
      this.#changed();
    }
  }

  /** @param {Answer} ack */
  #isCovered({ epoch, seq, duplicate }) {
    const cursor = this.view.cursor;
    // A first ack of another epoch is ahead of its snapshot; a repeated one is of an old epoch.
    return cursor !== null && (epoch === cursor.epoch ? seq <= cursor.after : duplicate);
  }

  /** @param {Ack} frame */
  #ack(frame) {
    this.outgoing.acked(frame);
    this.outgoing.settle((ack) => this.#isCovered(ack));
    this.#changed();
  }

  /** @param {History} frame */
  #older(frame) {
    if (!this.#requests.answered("history")) {
      return;
    }
    const came = this.view.prepend(frame);
    this.#requests.historyCame(came > 0); // first: whoever is told of it may ask for the next page
    if (came > 0) {
      const old = this.view.messages.slice(0, came);
      old.filter(({ own }) => own).forEach((each) => this.outgoing.saw(each));
      this.#changed();
    }
  }

  /** @param {Refusal} error */
  refuse(error) {
    if (error.clientMessageId) {
      this.outgoing.refused(error);
    } else if (error.code === "not_joined") {
      if (this.#requests.answered("history")) {
        this.#requests.historyCame(false);
      }
    } else if (this.#requests.answered("join")) {
      if (error.temporary || error.code === "unauthorized") {
        this.#refresh(false, error.retryAfterMs ?? REJOIN_MS);
      } else {
        this.#end(error.code);
      }
    } else if (this.#requests.answered("history")) {
      this.#requests.historyCame(false);
    } else {
      this.#desk.report(new PostroomError(error.code, error.message));
    }
    if (error.code === "not_joined" && this.state.name !== "left") {
      this.#refresh(false);
    }
  }

  /**
   * Asks for what is missing, or for a new view; what is there stays in view until it comes.
   *
   * @param {boolean} fresh
   * @param {number} [afterMs]
   */
  #refresh(fresh, afterMs) {
    if (!this.#requests.isJoining) {
      this.#requests.join({ fresh, ...(afterMs !== undefined && { afterMs }) });
      this.#become(JOINING);
    }
  }

  /** @param {RoomState} state */
  #become(state) {
    if (this.state.name !== "left" && state.name !== this.state.name) {
      this.state = state;
      this.#changed();
    }
  }

  #changed() {
    this.emitter.emit("change", this.room);
  }
}
