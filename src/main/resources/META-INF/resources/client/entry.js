// One command as the client holds it.

import { LocalCode } from "./errors.js";
import { filled, number, optional, shape, string } from "./shapes.js";

/** @import {CommandState, Failure, Ground, StoredCommand} from "./postroom.d.ts" */
/** @import {Ack, Refusal} from "./frames.js" */

/** @type {Failure} */
const UNCLAIMED = {
  code: LocalCode.UNCLAIMED,
  message: "This was written before anybody was signed in. Send it?",
};

/** @typedef {Pick<Ack, "epoch" | "seq" | "duplicate">} Answer */

/**
 * A command and how far it has come. `kept`: in the storage as well as can be. `restored`: of an
 * earlier page. `seen`: the number of its message, where that is in view. `doubt`: a copy without a
 * certain answer may have been accepted. `round`: which of its room's it was last written in.
 *
 * @typedef {{id: string, text: string, ifHead?: number, ground?: Ground, participant: string | null,
 *   createdAt: number, wantedAt: number, place: number, state: CommandState, kept: boolean,
 *   restored: boolean, seen: number | null, doubt: boolean, tries: number, round: number, ack: Answer | null,
 *   failure: Failure | null, delay: Failure | null}} Entry
 */

/**
 * @param {Pick<Entry, "id" | "text" | "participant" | "createdAt" | "wantedAt" | "place" | "failure">
 *   & {ifHead?: number | undefined, ground?: Ground | undefined}} what
 * @returns {Entry}
 */
export function newEntry(what) {
  const { id, text, ifHead, ground, participant, createdAt, wantedAt, place, failure } = what;
  return {
    id, text, participant, createdAt, wantedAt, place, failure,
    ...(ifHead !== undefined && { ifHead }),
    ...(ground && { ground }),
    state: failure ? "failed" : "queued",
    kept: false, restored: false, seen: null, doubt: false, tries: 0, round: 0, ack: null, delay: null,
  };
}

/**
 * As it is kept.
 *
 * @param {Entry} entry
 * @param {string} room
 * @param {string} owner
 * @returns {StoredCommand}
 */
export function toStored(entry, room, owner) {
  const { id, text, ifHead, ground, participant, createdAt, wantedAt, place, failure } = entry;
  return {
    id, room, text, participant, owner, createdAt, wantedAt, place, failure,
    ...(ifHead !== undefined && { ifHead }),
    ...(ground && { ground }),
  };
}

/**
 * Whether a record is one. What an origin keeps, others may have written or spoilt.
 *
 * @type {(record: unknown) => boolean}
 */
export const isStored = shape({
  id: filled, room: filled, text: string, participant: optional(string), owner: string,
  createdAt: Number.isFinite, wantedAt: Number.isFinite, place: Number.isFinite,
  failure: optional(shape({ code: filled, message: string })), ifHead: optional(number),
  ground: optional(shape({ epoch: filled, messageId: optional(filled) })),
});

/**
 * @param {StoredCommand} stored
 * @returns {Entry}
 */
export function fromStored(stored) {
  const failure = stored.failure ?? (stored.participant === null ? UNCLAIMED : null);
  // Whoever kept it may have written it since, unless it was parked with certainty.
  const doubt = !stored.failure || stored.failure.uncertain === true;
  return { ...newEntry({ ...stored, failure }), kept: true, doubt };
}

/**
 * Neither answered nor parked.
 *
 * @param {Entry} entry
 */
export function isOpen({ state }) {
  return state === "queued" || state === "sent";
}

/**
 * @param {Refusal} error
 * @returns {Failure}
 */
export function failureOf({ code, message, field, messageId, seq, head }) {
  const known = Object.entries({ field, messageId, seq, head }).filter(([, value]) => value != null);
  return { code, message, ...Object.fromEntries(known) };
}
