// How long to wait before the next try: anything up to a bound that doubles with every failure
// ("full jitter"), so that many clients that failed together do not come back together.

/** A wait that a server asks for is kept to this far: a wrong number must not silence a page for days. */
const LONGEST_ASKED_MS = 600_000;

/** @param {number} askedMs @returns {number} milliseconds that are waited */
export function waitOf(askedMs) {
  return Math.min(askedMs, LONGEST_ASKED_MS);
}

export class Backoff {
  #firstMs;
  #longestMs;
  #random;
  #failures = 0;

  /**
   * @param {() => number} random from 0 inclusive to 1 exclusive
   * @param {{firstMs?: number, longestMs?: number}} [bounds]
   */
  constructor(random, { firstMs = 1_000, longestMs = 30_000 } = {}) {
    this.#random = random;
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** Failures since the last success. */
  get failures() {
    return this.#failures;
  }

  /** Counts a failure and says how long to wait after it, in milliseconds. */
  next() {
    // 2 ** 1024 is Infinity, and Infinity times 0 no number: the exponent has a bound, too.
    const bound = Math.min(this.#longestMs, this.#firstMs * 2 ** Math.min(this.#failures, 30));
    this.#failures++;
    return Math.floor(this.#random() * bound);
  }

  /** It worked. */
  reset() {
    this.#failures = 0;
  }
}
