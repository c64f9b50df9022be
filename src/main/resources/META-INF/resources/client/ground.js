// What a condition on the head stands on. Numbers of different epochs are not comparable (R4): 17 of a
// database that was restored may be a message that nobody here has read. Pure.

/** @import {Ground} from "./postroom.d.ts" */
/** @import {View} from "./view.js" */

/** No room's head is ever this: refused, unless the server knows the command already (A2). */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * What is in view at this number, or undefined while nothing is known.
 *
 * @param {View} view
 * @param {number} head
 * @returns {Ground | undefined}
 */
export function groundAt(view, head) {
  const epoch = view.cursor?.epoch;
  return epoch === undefined ? undefined : { epoch, messageId: view.at(head)?.messageId ?? null };
}

/**
 * The condition as it is to be sent now: as it was given, where it means the same still.
 *
 * @param {View} view
 * @param {{ifHead?: number, ground?: Ground}} command
 * @returns {number | undefined}
 */
export function headOn(view, { ifHead, ground }) {
  if (ifHead === undefined || !ground || !view.cursor || ground.epoch === view.cursor.epoch) {
    return ifHead;
  }
  const isThere = ground.messageId !== null && view.at(ifHead)?.messageId === ground.messageId;
  return ifHead === 0 || isThere ? ifHead : NEVER;
}
