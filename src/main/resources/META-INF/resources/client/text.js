// The rules for values, in the server's units, so that what it would refuse is not sent to it.

/** @import {Limits, Failure} from "./postroom.d.ts" */

const ROOM = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/;
const HALF_PAIR = /\p{Surrogate}/u;
const encoder = new TextEncoder();

/**
 * The length that the server counts.
 *
 * @param {string} text
 */
export function utf8Length(text) {
  return encoder.encode(text).length;
}

/** @param {unknown} name */
export function isRoomName(name) {
  return typeof name === "string" && ROOM.test(name);
}

/**
 * Why the server would refuse this text for good, or null.
 *
 * @param {string} text
 * @param {Limits | null} limits null while the server has not said them
 * @returns {Failure | null}
 */
export function refusalOf(text, limits) {
  if (text === "") {
    return invalid("The text is empty.");
  }
  if (text.includes("\u0000")) {
    return invalid("The text has the character U+0000.");
  }
  if (HALF_PAIR.test(text)) {
    return invalid("The text has half a surrogate pair.");
  }
  const size = limits ? utf8Length(text) : 0;
  return limits && size > limits.textBytes
    ? {
        code: "too_large",
        message: `The text has ${size} bytes; ${limits.textBytes} may be sent at once.`,
        field: "text",
      }
    : null;
}

/**
 * @param {string} message
 * @returns {Failure}
 */
function invalid(message) {
  return { code: "invalid", message, field: "text" };
}
