// How much time has passed. The time of day may be set back or forward while something is waited for,
// and a steady clock may stand still while the machine sleeps: whichever says more is believed.
// Waits then never become longer, and a sleep is noticed (NET-04).

/** @import {Clock} from "./postroom.d.ts" */

export class Stopwatch {
  #clock;
  #startedAt = 0;
  #steadyAt = 0;

  /** @param {Clock} clock */
  constructor(clock) {
    this.#clock = clock;
    this.start();
  }

  /** From now on, and anew. */
  start() {
    this.#startedAt = this.#clock.now();
    this.#steadyAt = this.#steady;
  }

  /** Milliseconds since the start, never less than nothing. */
  get passed() {
    return Math.max(0, this.#clock.now() - this.#startedAt, this.#steady - this.#steadyAt);
  }

  get #steady() {
    return this.#clock.elapsed?.() ?? 0;
  }
}
