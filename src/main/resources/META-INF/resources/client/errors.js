// What can go wrong, as values with a code: the server's words (docs/protocol.md, "Errors" and
// "Closes") and this client's own.

/** Something went wrong; `code` says what. The message is for people and may change. */
export class PostroomError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "PostroomError";
    this.code = code;
  }
}

/** Thrown by the page's `token` function: nobody is signed in, and trying again will not help. */
export class UnauthorizedError extends PostroomError {
  /** @param {string} [message] */
  constructor(message = "Nobody is signed in.") {
    super("unauthorized", message);
    this.name = "UnauthorizedError";
  }
}

/** Not the server's, but this client's words for why a command is parked. */
export const LocalCode = Object.freeze({
  /** Older than `maxAgeMs`: the page is asked before it is sent. */
  TOO_OLD: "too_old",
  /** Found in the storage without the name of its author. */
  UNCLAIMED: "unclaimed",
});

/**
 * What a close asks for. `stop`: do not come back. `token`: come back with a new token. `return`:
 * come back, after `afterMs` if the server named it.
 *
 * @typedef {{kind: "stop" | "token" | "return", reason: string, afterMs: number | null}} Verdict
 */

const FINAL = new Map([
  [4400, "The server did not understand this client."],
  [4403, "Banned."],
  [4409, "Replaced by a newer connection."],
]);

/**
 * @param {number} code
 * @param {string} reason
 * @param {number | null} drainedMs what a `drain` before it asked for
 * @returns {Verdict}
 */
export function verdict(code, reason, drainedMs) {
  const told = `${code}${reason ? ` ${reason}` : ""}`;
  const stop = FINAL.get(code);
  const named = code === 1013 ? /retryAfterMs=(\d{1,9})$/.exec(reason)?.[1] : undefined;
  return {
    kind: stop ? "stop" : code === 4401 ? "token" : "return",
    reason: stop ?? told,
    afterMs: named === undefined ? drainedMs : Number(named),
  };
}
