// The commands of one room, from asked for to answered (A1, A2, N2): sent in order, repeated with
// the same id, never overtaking one that has to be repeated. Pure: knows no socket, no storage and
// no time but what it is told.

import { failureOf } from "./entry.js";
import { UNREADABLE, obstacleTo, refusalFor } from "./obstacle.js";
import { Unanswered } from "./unanswered.js";

/** @import {Failure, Limits} from "./postroom.d.ts" */
/** @import {Ack, Refusal} from "./frames.js" */
/** @import {Answer, Entry} from "./entry.js" */

export class Commands {
  /** All, in the order in which they were asked for. @type {Map<string, Entry>} */
  #entries = new Map();
  #unanswered = new Unanswered();
  /** Acked, and not covered yet. @type {Set<Entry>} */
  #acked = new Set();
  #changed;

  /** @param {(entry: Entry) => void} changed called after each change of a command */
  constructor(changed) {
    this.#changed = changed;
  }

  /** In the order in which they were asked for, acked ones until they are covered. */
  get all() {
    return [...this.#entries.values()];
  }

  /** Those that are not among the messages in view. */
  get pending() {
    return this.all.filter((entry) => entry.seen === null);
  }

  /** Neither answered nor parked. */
  get unsent() {
    return this.#unanswered.size;
  }

  /** Frames that wait for their answer. */
  get inFlight() {
    return this.#unanswered.inFlight;
  }

  /** @param {string} id */
  find(id) {
    return this.#entries.get(id);
  }

  /** @param {Entry} entry */
  add(entry) {
    this.#entries.set(entry.id, entry);
    this.#unanswered.add(entry);
    this.#changed(entry);
  }

  /**
   * Commands of an earlier page: before those of this one.
   *
   * @param {Entry[]} entries
   */
  restore(entries) {
    const unknown = entries.filter(({ id }) => !this.#entries.has(id));
    if (unknown.length > 0) {
      unknown.forEach((entry) => (entry.restored = true));
      this.#entries = new Map([...unknown, ...this.all].map((entry) => [entry.id, entry]));
      this.#unanswered.arrange(this.all);
      unknown.forEach(this.#changed);
    }
  }

  /**
   * Those to be written now, in order; they are `sent` from here on. What may not be sent any more
   * is parked, or answered by its message in view. Nobody is told before all of it is settled: whoever is told may change it.
   *
   * @param {{limits: Limits, now: number, maxAgeMs: number, most: number, round: number}} allowed
   *   `round`: never less than the one before
   */
  takeReady({ most, round, ...allowed }) {
    const ready = [];
    const parked = [];
    for (const entry of this.#unanswered.ready) {
      if (!entry.kept || ready.length >= most) {
        break; // nothing overtakes a command that is not kept yet
      }
      if (entry.state === "queued") {
        const failure = obstacleTo(entry, allowed);
        failure ? parked.push({ entry, failure }) : ready.push(entry);
      }
    }
    for (const entry of ready) {
      const tries = entry.tries + 1;
      Object.assign(entry, { state: "sent", round, tries, delay: null });
      this.#unanswered.written(entry);
    }
    parked.forEach(({ entry, failure }) => this.#stop(entry, failure));
    [...parked.map(({ entry }) => entry), ...ready].forEach(this.#changed);
    return ready;
  }

  /**
   * @param {Ack} ack
   * @returns {Entry | undefined} the command that is answered now; an unknown id changes nothing
   */
  acked(ack) {
    const entry = this.find(ack.clientMessageId);
    if (!entry || entry.state === "acked") {
      return undefined;
    }
    this.#answer(entry, ack);
    this.#changed(entry);
    return entry;
  }

  /**
   * @param {Entry} entry
   * @param {Answer} ack
   */
  #answer(entry, ack) {
    Object.assign(entry, { state: "acked", ack, failure: null, delay: null });
    this.#unanswered.remove(entry);
    this.#acked.add(entry);
  }

  /**
   * @param {Refusal} error
   * @returns {"parked" | "repeat" | "unknown"} what becomes of the command
   */
  refused(error) {
    const entry = this.find(error.clientMessageId ?? "");
    if (entry?.state !== "sent") {
      return "unknown"; // of an earlier copy: the one under way has an answer of its own
    }
    const failure = failureOf(error);
    // Not the command, but its socket is at fault: a new token or a join mends it.
    const isOfSocket = ["not_joined", "unauthorized"].includes(error.code);
    if (error.temporary || isOfSocket) {
      // A server that cannot know whether it was accepted says "for the moment" (A8).
      const doubt = entry.doubt || !isOfSocket;
      Object.assign(entry, { state: "queued", delay: failure, doubt });
      this.#unanswered.refused(entry);
      this.#changed(entry);
      return "repeat";
    }
    this.#park(entry, failure);
    return "parked";
  }

  /**
   * @param {Entry} entry
   * @param {Failure} failure
   */
  #park(entry, failure) {
    this.#stop(entry, failure);
    this.#changed(entry);
  }

  /**
   * @param {Entry} entry
   * @param {Failure} why
   */
  #stop(entry, why) {
    const failure = refusalFor(entry, why);
    if (failure) {
      const doubt = failure.uncertain === true;
      Object.assign(entry, { state: "failed", failure, delay: null, seen: null, doubt });
      this.#unanswered.remove(entry);
    } else {
      this.#answer(entry, { epoch: "", seq: entry.seen ?? 0, duplicate: true });
    }
  }

  /**
   * The user wants it sent all the same.
   *
   * @param {Entry} entry
   * @param {number} now
   * @param {string | null} participant who that is
   */
  requeue(entry, now, participant) {
    if (entry.state !== "failed") {
      return false;
    }
    const whose = entry.participant ?? participant;
    Object.assign(entry, { state: "queued", failure: null, wantedAt: now, participant: whose });
    this.#unanswered.arrange(this.all);
    this.#changed(entry);
    return true;
  }

  /**
   * One that may have been accepted stays; so does one that is answered.
   *
   * @param {Entry} entry
   */
  discard(entry) {
    const isNew = entry.state === "queued" && entry.tries === 0 && !entry.restored;
    return (entry.state === "failed" || isNew) && this.#remove(entry);
  }

  /** The socket is gone: whatever was under way may or may not have arrived. */
  lose() {
    const lost = this.#unanswered.lose();
    lost.forEach((entry) => Object.assign(entry, { state: "queued", doubt: true }));
    lost.forEach(this.#changed);
  }

  /**
   * The ones under way when one of them has waited too long for its answer: all again, in order.
   *
   * @param {number} round of it, or an earlier one
   */
  repeatOverdue(round) {
    if (this.#unanswered.underway.some((entry) => entry.round <= round)) {
      this.lose();
    }
  }

  /** The one under way that takes most room in a frame. */
  longestInFlight() {
    return this.#unanswered.longest;
  }

  /**
   * The server could not read a frame, and this was the longest: sent again it would cost the
   * socket again (TXT-03).
   *
   * @param {Entry} entry
   */
  parkUnreadable(entry) {
    this.#park(entry, UNREADABLE);
  }

  /**
   * Its message is in view, whichever of ack, event and replay came first (ACC-17): one that was
   * parked is answered by it. Other text under the same id is not its message (A3).
   *
   * @param {{clientMessageId: string, text: string, seq: number}} message of this participant
   */
  saw({ clientMessageId, text, seq }) {
    const entry = this.find(clientMessageId);
    if (!entry || entry.text !== text) {
      return;
    }
    entry.seen = seq;
    if (entry.failure) {
      this.#answer(entry, { epoch: "", seq, duplicate: true });
      this.#changed(entry);
    }
  }

  /** Another epoch: what was in view may be gone. */
  unsee() {
    this.#entries.forEach((entry) => (entry.seen = null));
  }

  /**
   * Lets go of the answered ones that need no bubble of their own any more.
   *
   * @param {(ack: Answer) => boolean} isCovered
   */
  settle(isCovered) {
    for (const entry of this.#acked) {
      if (entry.seen !== null || (entry.ack && isCovered(entry.ack))) {
        this.#remove(entry);
      }
    }
  }

  /**
   * Whose those are that were asked for before anybody knew.
   *
   * @param {string} participant
   * @returns {Entry[]} what has to be kept anew
   */
  claim(participant) {
    const open = this.all.filter((entry) => entry.participant === null && !entry.restored);
    open.forEach((entry) => (entry.participant = participant));
    return open;
  }

  /**
   * Somebody else is signed in: these are no commands of theirs. They stay kept.
   *
   * @param {string} participant
   */
  keepOnly(participant) {
    this.all
      .filter((entry) => entry.participant !== null && entry.participant !== participant)
      .forEach((entry) => this.#remove(entry));
  }

  /** @param {Entry} entry */
  #remove(entry) {
    this.#unanswered.remove(entry);
    this.#acked.delete(entry);
    return this.#entries.get(entry.id) === entry && this.#entries.delete(entry.id);
  }
}
