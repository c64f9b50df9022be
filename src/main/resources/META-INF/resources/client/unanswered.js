// The open commands of one room, in their order: which of them wait for their answer, and which were
// refused for the moment. Each step costs the same however many there are. Pure.

import { isOpen } from "./entry.js";

/** @import {Entry} from "./entry.js" */

export class Unanswered {
  /** @type {Set<Entry>} */
  #open = new Set();
  /** Of them those that were written to the socket. @type {Set<Entry>} */
  #underway = new Set();
  /** Of them those that are to be repeated. @type {Set<Entry>} */
  #refused = new Set();

  get size() {
    return this.#open.size;
  }

  /** Those that wait for their answer, in the order in which they were written. */
  get underway() {
    return [...this.#underway];
  }

  get inFlight() {
    return this.#underway.size;
  }

  /** The one under way that takes most room in a frame. @returns {Entry | undefined} */
  get longest() {
    const size = (/** @type {Entry} */ { text }) => JSON.stringify(text).length;
    return this.underway.sort((one, other) => size(other) - size(one))[0];
  }

  /** @param {Entry} entry the last one */
  add(entry) {
    if (isOpen(entry)) {
      this.#open.add(entry);
    }
  }

  /** @param {Iterable<Entry>} all in their order: some of them are open again */
  arrange(all) {
    this.#open = new Set([...all].filter(isOpen));
  }

  /** Those that may be written now, in order: live, as long as one looks at them one by one. */
  get ready() {
    if (this.#refused.size > 0) {
      // What is under way behind a refused one is answered first; else a repeat could overtake.
      if (this.#underway.size > 0) {
        return [];
      }
      this.#refused.clear();
    }
    return this.#open;
  }

  /** @param {Entry} entry */
  written(entry) {
    this.#underway.add(entry);
  }

  /** @param {Entry} entry it is to be repeated */
  refused(entry) {
    this.#underway.delete(entry);
    this.#refused.add(entry);
  }

  /** @param {Entry} entry answered, parked or gone */
  remove(entry) {
    this.#open.delete(entry);
    this.#underway.delete(entry);
    this.#refused.delete(entry);
  }

  /** Nothing is under way any more. @returns {Entry[]} what was */
  lose() {
    const lost = this.underway;
    this.#underway.clear();
    this.#refused.clear();
    return lost;
  }
}
