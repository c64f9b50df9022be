// Why a command may not be sent any more, as far as this side can tell. Pure.

import { LocalCode } from "./errors.js";
import { refusalOf } from "./text.js";

/** @import {Failure, Limits} from "./postroom.d.ts" */
/** @import {Entry} from "./entry.js" */

/**
 * @param {Entry} entry
 * @param {{limits: Limits, now: number, maxAgeMs: number}} allowed
 * @returns {Failure | null}
 */
export function obstacleTo(entry, { limits, now, maxAgeMs }) {
  const refusal = refusalOf(entry.text, limits);
  // One whose message is in view is sent at any age: there is nothing to ask any more.
  const isTooOld = !refusal && !entry.seen && now - entry.wantedAt > maxAgeMs;
  return isTooOld
    ? { code: LocalCode.TOO_OLD, message: "This was written a while ago. Send it still?" }
    : refusal;
}
