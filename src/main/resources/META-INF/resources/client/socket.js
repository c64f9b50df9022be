// A WebSocket to the service, and what can be thrown at its edges.

import { subprotocols } from "./frames.js";

/** @import {Socket} from "./postroom.d.ts" */

/**
 * @param {new (url: string, protocols: string[]) => Socket} WebSocket
 * @param {string} url
 * @param {string} token
 * @param {{heard: (data: unknown) => void, closed: (code: number, reason: string) => void}} told
 */
export function openSocket(WebSocket, url, token, told) {
  const socket = new WebSocket(url, subprotocols(token));
  socket.onmessage = ({ data }) => told.heard(data);
  socket.onclose = ({ code, reason }) => told.closed(code ?? 1006, reason ?? "");
  socket.onerror = () => {}; // a close follows, and says as much
  return socket;
}

/**
 * @param {Socket | null} socket
 * @param {number} [code]
 */
export function closeQuietly(socket, code) {
  try {
    socket?.close(code);
  } catch {
    // It is gone then.
  }
}

/** @param {unknown} cause whatever was thrown */
export function messageOf(cause) {
  return cause instanceof Error ? cause.message : String(cause);
}
