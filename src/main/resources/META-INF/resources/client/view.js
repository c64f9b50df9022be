// The messages of one room that are in view, and the cursor: one without the other is never changed
// (R1, PR-41 to PR-46). Pure.

/** @import {Cursor, Message} from "./postroom.d.ts" */
/** @import {Body, History, Snapshot} from "./frames.js" */

export class View {
  /** @type {Message[]} */
  #messages = [];
  /** @type {readonly Message[] | null} what was given out, as long as it is true */
  #given = null;
  /** @type {Cursor | null} */
  #cursor = null;
  #earlier = false;
  #isOwn;

  /** @param {(message: Body) => boolean} isOwn */
  constructor(isOwn) {
    this.#isOwn = isOwn;
  }

  get cursor() {
    return this.#cursor;
  }

  get earlier() {
    return this.#earlier;
  }

  /** A list of its own for whoever asks, the same one until something changes. */
  get messages() {
    return (this.#given ??= Object.freeze([...this.#messages]));
  }

  /** @param {number} seq @returns {Message | undefined} the message of this number, where it is in view */
  at(seq) {
    return this.#messages[seq - (this.#messages[0]?.seq ?? 0)];
  }

  /**
   * Replaces the view. The cursor may go back here, and only here: the server knows better where
   * the room ends (REC-12).
   *
   * @param {Snapshot} snapshot
   */
  replace({ epoch, after, messages, earlier }) {
    this.#messages = messages.map((body) => this.#message(body));
    this.#cursor = Object.freeze({ epoch, after });
    this.#earlier = earlier;
    this.#given = null;
  }

  /**
   * What the next message is to this view: `next`, `known` (at or below the cursor), or `hole`.
   *
   * @param {string} epoch
   * @param {number} seq
   */
  place(epoch, seq) {
    if (epoch !== this.#cursor?.epoch || seq > this.#cursor.after + 1) {
      return "hole";
    }
    return seq <= this.#cursor.after ? "known" : "next";
  }

  /**
   * Appends the `next` message and moves the cursor by it.
   *
   * @param {string} epoch
   * @param {Body} body
   */
  append(epoch, body) {
    const message = this.#message(body);
    this.#messages.push(message);
    this.#cursor = Object.freeze({ epoch, after: body.seq });
    this.#given = null;
    return message;
  }

  /** The seq before which history is to be asked for; null when there is nothing before it. */
  get historyBefore() {
    const first = this.#messages[0]?.seq;
    return this.#earlier && first !== undefined && first > 1 ? first : null;
  }

  /**
   * Puts older messages before the list, if they are the very next ones: an answer that was meant
   * for another list would leave a hole.
   *
   * @param {History} history
   * @returns {number} how many came
   */
  prepend({ epoch, messages, earlier }) {
    const before = this.historyBefore;
    if (epoch !== this.#cursor?.epoch || before === null) {
      return 0;
    }
    if (messages.length > 0 && messages[messages.length - 1]?.seq !== before - 1) {
      return 0;
    }
    this.#messages = [...messages.map((body) => this.#message(body)), ...this.#messages];
    this.#earlier = earlier;
    this.#given = null;
    return messages.length;
  }

  /**
   * Lets go of all but the newest: what is dropped is history, to be asked for again.
   *
   * @param {number} most
   * @returns {boolean} whether any went
   */
  keepNewest(most) {
    const from = this.#messages.length - most;
    if (from > 0) {
      this.#messages = this.#messages.slice(from);
      this.#earlier = true;
      this.#given = null;
    }
    return from > 0;
  }

  /** Drops list and cursor together. */
  clear() {
    this.#messages = [];
    this.#cursor = null;
    this.#earlier = false;
    this.#given = null;
  }

  /**
   * @param {Body} body
   * @returns {Message}
   */
  #message(body) {
    const { seq, messageId, clientMessageId, author, text, acceptedAt } = body;
    const own = this.#isOwn(body);
    return Object.freeze({ seq, messageId, clientMessageId, author, text, acceptedAt, own });
  }
}
