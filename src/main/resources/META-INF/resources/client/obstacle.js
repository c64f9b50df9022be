// Why a command is not sent any more: as far as this side can tell, and after a refusal. Pure.

import { LocalCode } from "./errors.js";
import { refusalOf } from "./text.js";

/** @import {Failure, Limits} from "./postroom.d.ts" */
/** @import {Entry} from "./entry.js" */

/** @type {Failure} of a frame that cost its socket */
export const UNREADABLE = {
  code: "too_large",
  message: "The text is too long for the server to read. Send less at once.",
  field: "text",
};

/** Refusals after the key was looked up: there is no message of this command. */
const DENIALS = ["id_conflict", "stale_head"];

/**
 * @param {Entry} entry
 * @param {{limits: Limits, now: number, maxAgeMs: number}} allowed
 * @returns {Failure | null}
 */
export function obstacleTo(entry, { limits, now, maxAgeMs }) {
  const refusal = refusalOf(entry.text, limits);
  // One whose message is in view is sent at any age: there is nothing to ask any more.
  const isTooOld = !refusal && entry.seen === null && now - entry.wantedAt > maxAgeMs;
  return isTooOld
    ? { code: LocalCode.TOO_OLD, message: "This was written a while ago. Send it still?" }
    : refusal;
}

/**
 * What a refusal of one copy means for the command (A8): an earlier copy may have been accepted.
 *
 * @param {Entry} entry
 * @param {Failure} failure
 * @returns {Failure | null} null when its message is in view, which is the answer
 */
export function refusalFor(entry, failure) {
  if (DENIALS.includes(failure.code)) {
    return failure;
  }
  if (entry.seen !== null) {
    return null;
  }
  return entry.doubt ? { ...failure, uncertain: true } : failure;
}
