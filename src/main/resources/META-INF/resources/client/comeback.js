// Whether and when to come back after a socket was lost: the reconnect policy, apart from the
// protocol.

import { Backoff, waitOf } from "./backoff.js";
import { verdict } from "./errors.js";

/** Whoever was online this long has not failed to connect. */
const STEADY_MS = 10_000;
/** Fresh tokens that the server may refuse in a row before this is a matter for people. */
const REFUSED_TOKENS = 2;

/**
 * `asked`: the server named the wait, and it is kept to.
 *
 * @typedef {{kind: "stop" | "unauthorized", reason: string}
 *   | {kind: "wait", reason: string, delayMs: number, asked: boolean}} Plan
 */

export class Comeback {
  #backoff;
  #refusedTokens = 0;

  /** @param {() => number} random */
  constructor(random) {
    this.#backoff = new Backoff(random);
  }

  /** The server took the token. */
  welcomed() {
    this.#refusedTokens = 0;
  }

  /** Somebody asked for a new beginning. */
  reset() {
    this.#refusedTokens = 0;
    this.#backoff.reset();
  }

  /**
   * @param {{code: number, reason: string, drainedMs: number | null, onlineMs: number | null}} loss
   *   `drainedMs`: what a `drain` before it asked for; `onlineMs`: since the welcome, null before it
   * @returns {Plan}
   */
  after({ code, reason: why, drainedMs, onlineMs }) {
    const { kind, reason, afterMs } = verdict(code, why, drainedMs);
    if (kind === "stop") {
      return { kind, reason };
    }
    if (onlineMs !== null && onlineMs >= STEADY_MS) {
      this.#backoff.reset();
    }
    if (kind === "token" && onlineMs === null && ++this.#refusedTokens >= REFUSED_TOKENS) {
      return { kind: "unauthorized", reason };
    }
    const asked = afterMs !== null;
    return { kind: "wait", reason, delayMs: asked ? waitOf(afterMs) : this.#backoff.next(), asked };
  }
}
