// What one room asks of the server besides commands: joins and pages of history. Their answers come
// in the order in which they were asked for (PR-12), so that an error without an id has its place.

import { waitOf } from "./backoff.js";
import { historyFrame, joinFrame } from "./frames.js";
import { Timer } from "./timer.js";

/** @import {Desk} from "./desk.js" */
/** @import {View} from "./view.js" */

export class Requests {
  #name;
  #desk;
  #view;
  #wantsJoin = false;
  /** The view cannot be continued: the next join asks for a new one. */
  #fresh = false;
  /** @type {("join" | "history")[]} asked and not answered */
  #asked = [];
  /** @type {{limit: number | undefined, isAsked: boolean, tell: (came: boolean) => void} | null} */
  #history = null;
  #isKnown = false;
  #later;
  #patience;

  /**
   * @param {string} name the room's
   * @param {Desk} desk
   * @param {View} view
   */
  constructor(name, desk, view) {
    this.#name = name;
    this.#desk = desk;
    this.#view = view;
    this.#later = new Timer(desk.clock);
    this.#patience = new Timer(desk.clock);
  }

  /** Frames that wait for their answer. */
  get inFlight() {
    return this.#asked.length;
  }

  /** Pages that are not answered. */
  get histories() {
    return this.#asked.filter((each) => each === "history").length;
  }

  /** This socket has asked to join: there is something to leave. */
  get isKnown() {
    return this.#isKnown;
  }

  /** A join is under way or about to be. */
  get isJoining() {
    return this.#wantsJoin || this.#asked.includes("join");
  }

  /**
   * Asks to join, or to join again, at the next turn.
   *
   * @param {{fresh?: boolean, afterMs?: number}} [how] `fresh`: without the cursor
   */
  join({ fresh = false, afterMs = 0 } = {}) {
    this.#fresh ||= fresh;
    this.#wantsJoin = true;
    if (afterMs > 0) {
      this.#later.start(waitOf(afterMs), () => this.#desk.pump());
    }
  }

  /** A new view came, whoever asked for it. */
  replaced() {
    this.#fresh = false;
    this.#wantsJoin = false;
    this.#later.stop();
  }

  /** The socket is gone, and every answer with it. */
  lost() {
    this.#asked = [];
    this.#isKnown = false;
    this.#wantsJoin = false;
    this.#later.stop();
    this.#patience.stop();
    this.historyCame(false);
  }

  /**
   * @param {number | undefined} limit
   * @returns {Promise<boolean>}
   */
  loadEarlier(limit) {
    if (this.#history || this.#view.historyBefore === null) {
      return Promise.resolve(false);
    }
    return new Promise((tell) => {
      this.#history = { limit, isAsked: false, tell };
      this.#desk.pump();
    });
  }

  /** @param {boolean} came */
  historyCame(came) {
    const history = this.#history;
    this.#history = null;
    history?.tell(came);
  }

  /**
   * Writes what may be written.
   *
   * @param {number} most frames
   * @returns {number} how many were written
   */
  pump(most) {
    let written = 0;
    if (this.#wantsJoin && !this.#later.isPending && most > 0) {
      const cursor = this.#fresh ? null : this.#view.cursor;
      if (!this.#ask("join", joinFrame(this.#name, cursor))) {
        return 0;
      }
      this.#isKnown = true;
      this.#wantsJoin = false;
      this.#fresh = false;
      written++;
    }
    const before = this.#view.historyBefore;
    if (this.#history && !this.#history.isAsked && !this.isJoining && written < most) {
      this.#history.isAsked = true;
      if (before === null) {
        this.historyCame(false);
      } else if (this.#ask("history", historyFrame(this.#name, before, this.#history.limit))) {
        written++;
      }
    }
    return written;
  }

  /**
   * @param {"join" | "history"} what
   * @param {object} frame
   */
  #ask(what, frame) {
    if (!this.#desk.say(frame)) {
      return false;
    }
    this.#asked.push(what);
    this.#beImpatient();
    return true;
  }

  /**
   * @param {"join" | "history"} what
   * @returns {boolean} whether this was asked for, and is the next to be answered
   */
  answered(what) {
    if (this.#asked[0] !== what) {
      return false;
    }
    this.#asked.shift();
    this.#patience.stop();
    this.#beImpatient();
    return true;
  }

  /** A socket that answers pings but no joins looks healthy for ever (NET-06). */
  #beImpatient() {
    if (this.#asked.length > 0 && !this.#patience.isPending) {
      this.#patience.start(this.#desk.ackTimeoutMs, () => {
        this.#desk.distrust("the server does not answer");
      });
    }
  }
}
