// What the page holds of a room.

/** @import {Command, Message, Room as PublicRoom, RoomEvents} from "./postroom.d.ts" */
/** @import {Subscription} from "./subscription.js" */

/** @implements {PublicRoom} */
export class Room {
  #subscription;

  /** @param {Subscription} subscription */
  constructor(subscription) {
    this.#subscription = subscription;
  }

  get name() {
    return this.#subscription.name;
  }

  get state() {
    return this.#subscription.state;
  }

  /** @returns {readonly Message[]} */
  get messages() {
    return this.#subscription.view.messages;
  }

  /** @returns {readonly Command[]} */
  get pending() {
    return this.#subscription.outgoing.pending;
  }

  get cursor() {
    return this.#subscription.view.cursor;
  }

  get earlier() {
    return this.#subscription.view.earlier;
  }

  /**
   * @param {string} text
   * @param {{readonly ifHead?: number}} [options]
   * @returns {Command}
   */
  send(text, options) {
    return this.#subscription.outgoing.send(text, options?.ifHead);
  }

  /** @param {number} [limit] */
  loadEarlier(limit) {
    return this.#subscription.loadEarlier(limit);
  }

  /** @param {number} most */
  keepNewest(most) {
    if (!(most >= 1)) {
      throw new RangeError("One message is kept at least.");
    }
    if (this.#subscription.view.keepNewest(most)) {
      this.#subscription.emitter.emit("change", this);
    }
  }

  leave() {
    this.#subscription.leave();
  }

  /**
   * @template {keyof RoomEvents} E
   * @param {E} event
   * @param {(value: RoomEvents[E]) => void} handler
   */
  on(event, handler) {
    return this.#subscription.emitter.on(event, handler);
  }
}
