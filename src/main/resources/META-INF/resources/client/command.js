// What the page holds of a command: reads the entry, and asks its room to act on it.

/** @import {Command as PublicCommand} from "./postroom.d.ts" */
/** @import {Entry} from "./entry.js" */

/**
 * What a command asks of its room.
 *
 * `now`: where it is now; in a room that was left and joined again, that is the new one's copy.
 *
 * @typedef {{name: string, now(entry: Entry): {owner: Owner, entry: Entry},
 *   headFor(entry: Entry): number | undefined, resend(entry: Entry): boolean,
 *   edit(entry: Entry, text: string): PublicCommand | null, discard(entry: Entry): boolean,
 *   watch(entry: Entry, handler: (command: PublicCommand) => void): () => void}} Owner
 */

/** @implements {PublicCommand} */
export class Command {
  #entry;
  #owner;

  /**
   * @param {Entry} entry
   * @param {Owner} owner
   */
  constructor(entry, owner) {
    this.#entry = entry;
    this.#owner = owner;
  }

  get id() {
    return this.#entry.id;
  }

  get room() {
    return this.#owner.name;
  }

  get text() {
    return this.#entry.text;
  }

  get ifHead() {
    return this.#owner.headFor(this.#entry) ?? null;
  }

  get createdAt() {
    return this.#entry.createdAt;
  }

  get state() {
    return this.#entry.state;
  }

  get failure() {
    return this.#entry.failure;
  }

  get delay() {
    return this.#entry.delay;
  }

  get tries() {
    return this.#entry.tries;
  }

  get seq() {
    return this.#entry.ack?.seq ?? null;
  }

  get duplicate() {
    return this.#entry.ack?.duplicate ?? null;
  }

  resend() {
    const { owner, entry } = this.#owner.now(this.#entry);
    return owner.resend(entry);
  }

  /** @param {string} text */
  edit(text) {
    const { owner, entry } = this.#owner.now(this.#entry);
    return owner.edit(entry, text);
  }

  discard() {
    const { owner, entry } = this.#owner.now(this.#entry);
    return owner.discard(entry);
  }

  /**
   * @param {"change"} event
   * @param {(command: PublicCommand) => void} handler
   */
  on(event, handler) {
    return event === "change" ? this.#owner.watch(this.#entry, handler) : () => {};
  }
}
