// Renews the token on the open socket before the server's copy expires (PR-36), so that nobody is
// thrown off. If it does not work, the server closes with 4401 and the connection comes back with a
// new token.

import { Timer, inTime } from "./timer.js";

/** @import {Clock} from "./postroom.d.ts" */

const EARLY_MS = 60_000;
const SOONEST_MS = 10_000;
/** By a clock that is wrong every token has expired: then now and then. */
const BLIND_MS = 60_000;
/** A token that takes longer is asked for again, and not taken any more. */
const PATIENCE_MS = 20_000;

export class Renewal {
  #clock;
  #timer;
  #token;
  #renew;
  #generation = 0;

  /**
   * @param {Clock} clock
   * @param {() => Promise<string>} token
   * @param {(token: string) => void} renew
   */
  constructor(clock, token, renew) {
    this.#clock = clock;
    this.#timer = new Timer(clock);
    this.#token = token;
    this.#renew = renew;
  }

  /** @param {string | undefined} expiresAt what `welcome` said */
  start(expiresAt) {
    this.stop();
    const left = Date.parse(expiresAt ?? "") - this.#clock.now();
    if (Number.isFinite(left)) {
      // Early by a fifth of a short life, by a minute of a long one.
      this.#after(left > 0 ? left - Math.min(EARLY_MS, left / 5) : BLIND_MS);
    }
  }

  stop() {
    this.#generation++;
    this.#timer.stop();
  }

  /** @param {number} delayMs */
  #after(delayMs) {
    const generation = this.#generation;
    this.#timer.start(Math.max(SOONEST_MS, delayMs), async () => {
      // The token in use is still good: what cannot be had, or is none, is asked for again.
      const token = await inTime(this.#clock, PATIENCE_MS, this.#token).catch(() => null);
      if (generation === this.#generation) {
        // Until a welcome says how long the new one is good, this is tried again.
        this.#after(SOONEST_MS);
        if (token && typeof token === "string") {
          this.#renew(token);
        }
      }
    });
  }
}
