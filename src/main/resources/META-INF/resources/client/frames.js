// The words on the wire (docs/protocol.md): client frames are made here, server frames are read
// and checked here, and nowhere else.

import { filled, flag, number, optional, shape, string } from "./shapes.js";

/** @import {Author, Cursor, Limits} from "./postroom.d.ts" */
/** @import {Rule} from "./shapes.js" */

/**
 * A message as it stands in `snapshot`, `delta` and `history`.
 *
 * @typedef {{seq: number, messageId: string, clientMessageId: string, author: Author, text: string,
 *   acceptedAt: string}} Body
 * @typedef {{type: "welcome", protocol: string, connection: string, participant: Author,
 *   limits: Limits, heartbeatMs: number, tokenExpiresAt?: string}} Welcome
 * @typedef {{type: "snapshot", room: string, epoch: string, after: number, messages: Body[],
 *   earlier: boolean}} Snapshot
 * @typedef {{type: "delta", room: string, epoch: string, after: number, messages: Body[],
 *   more: boolean}} Delta
 * @typedef {Body & {type: "message", room: string, epoch: string}} Live
 * @typedef {{type: "ack", room: string, clientMessageId: string, messageId: string, epoch: string,
 *   seq: number, acceptedAt: string, duplicate: boolean, head: number}} Ack
 * @typedef {{type: "history", room: string, epoch: string, messages: Body[],
 *   earlier: boolean}} History
 * @typedef {{type: "left", room: string, reason: string}} Left
 * @typedef {{type: "drain", reason: string, withinMs: number, retryAfterMs: number}} Drain
 * @typedef {{type: "pong"}} Pong
 * @typedef {{type: "error", code: string, message: string, temporary: boolean, room?: string,
 *   clientMessageId?: string, retryAfterMs?: number, messageId?: string, seq?: number,
 *   head?: number, field?: string}} Refusal
 * @typedef {Snapshot | Delta | Live | Ack | History | Left} RoomFrame
 * @typedef {Welcome | RoomFrame | Drain | Pong | Refusal} ServerFrame
 */

/** The sub-protocol. */
export const PROTOCOL = "postroom.v1";

/**
 * What a browser offers when it opens a socket: it cannot set headers, and the token never belongs
 * into the URL (PR-21).
 *
 * @param {string} token
 */
export function subprotocols(token) {
  return [PROTOCOL, encodeURIComponent(`quarkus-http-upgrade#Authorization#Bearer ${token}`)];
}

/**
 * @param {string} room
 * @param {Cursor | null} cursor
 */
export function joinFrame(room, cursor) {
  return cursor
    ? { type: "join", room, cursor: { epoch: cursor.epoch, after: cursor.after } }
    : { type: "join", room };
}

/** @param {string} room */
export function leaveFrame(room) {
  return { type: "leave", room };
}

/**
 * @param {string} room
 * @param {{id: string, text: string, ifHead?: number | undefined}} command
 */
export function sendFrame(room, { id, text, ifHead }) {
  const frame = { type: "send", room, clientMessageId: id, text };
  return ifHead === undefined ? frame : { ...frame, ifHead };
}

/**
 * @param {string} room
 * @param {number} before
 * @param {number} [limit]
 */
export function historyFrame(room, before, limit) {
  return limit === undefined
    ? { type: "history", room, before }
    : { type: "history", room, before, limit };
}

/** @param {string} token */
export function authFrame(token) {
  return { type: "auth", token };
}

export function pingFrame() {
  return { type: "ping" };
}

const author = shape({ id: filled, name: string });
const body = {
  seq: number, messageId: filled, clientMessageId: filled, author, text: string, acceptedAt: string,
};
const isBody = shape(body);
/** Ascending (N3); that nothing is missing is for the view to see. @type {Rule} */
const page = (value) =>
  Array.isArray(value) &&
  value.every((each, at) => isBody(each) && (at === 0 || each.seq > value[at - 1].seq));
const limits = shape({
  textBytes: number, idLength: number, pendingCommands: number, snapshot: number, delta: number,
});

/** @type {Map<string, Rule>} */
const SHAPES = new Map(Object.entries({
  welcome: shape({
    protocol: string, connection: string, participant: author, limits, heartbeatMs: number,
    tokenExpiresAt: optional(string),
  }),
  snapshot: shape({ room: filled, epoch: filled, after: number, messages: page, earlier: flag }),
  delta: shape({ room: filled, epoch: filled, after: number, messages: page, more: flag }),
  message: shape({ room: filled, epoch: filled, ...body }),
  ack: shape({
    room: filled, clientMessageId: filled, messageId: filled, epoch: filled, seq: number,
    acceptedAt: string, duplicate: flag, head: number,
  }),
  history: shape({ room: filled, epoch: filled, messages: page, earlier: flag }),
  left: shape({ room: filled, reason: string }),
  drain: shape({ reason: string, withinMs: number, retryAfterMs: number }),
  pong: shape({}),
  error: shape({
    code: filled, message: string, temporary: flag, room: optional(string),
    clientMessageId: optional(string), retryAfterMs: optional(number), messageId: optional(string),
    seq: optional(number), head: optional(number), field: optional(string),
  }),
}));

/**
 * A server frame; `unknown` for one of a later version, which is left out (PR-03); `malformed` for
 * what no server should say. Never throws.
 *
 * @param {unknown} text
 * @returns {ServerFrame | "unknown" | "malformed"}
 */
export function decode(text) {
  let frame;
  try {
    frame = typeof text === "string" ? JSON.parse(text) : null;
  } catch {
    return "malformed";
  }
  if (typeof frame?.type !== "string") {
    return "malformed";
  }
  const isRight = SHAPES.get(frame.type);
  return !isRight ? "unknown" : isRight(frame) ? frame : "malformed";
}
