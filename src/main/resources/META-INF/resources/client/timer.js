// Time that a test can hold, and one thing that is to happen later.

/** @import {Clock} from "./postroom.d.ts" */

/** Longer waits overflow in browsers and would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** @type {Clock} the time of the machine */
export const systemClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimeout: (run, delayMs) => globalThis.setTimeout(run, delayMs),
  clearTimeout: (handle) => globalThis.clearTimeout(handle),
};

/** At most one pending call: a new one replaces it, and a stopped one does not come. */
export class Timer {
  #clock;
  /** @type {{handle: unknown} | null} */
  #pending = null;

  /** @param {Clock} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  get isPending() {
    return this.#pending !== null;
  }

  /**
   * @param {number} delayMs
   * @param {() => void} run
   */
  start(delayMs, run) {
    this.stop();
    /** @type {{handle: unknown}} */
    const pending = { handle: undefined };
    this.#pending = pending;
    pending.handle = this.#clock.setTimeout(() => {
      // A clock that cannot take a call back is as good.
      if (this.#pending === pending) {
        this.#pending = null;
        run();
      }
    }, Math.min(Math.max(0, delayMs), LONGEST_MS));
  }

  stop() {
    if (this.#pending) {
      this.#clock.clearTimeout(this.#pending.handle);
      this.#pending = null;
    }
  }
}

/**
 * What is done, or a rejection when it takes too long.
 *
 * @template T
 * @param {Clock} clock
 * @param {number} limitMs
 * @param {() => Promise<T>} work
 * @param {() => void} [expired] called then, to end the work
 * @returns {Promise<T>}
 */
export function inTime(clock, limitMs, work, expired = () => {}) {
  return new Promise((resolve, reject) => {
    const timer = new Timer(clock);
    timer.start(limitMs, () => {
      expired();
      reject(new Error(`not done in ${limitMs} ms`));
    });
    // A function that throws at once is as good as one that rejects.
    Promise.resolve().then(work).then(resolve, reject).finally(() => timer.stop());
  });
}
