// What a room that was left still gets on this socket, up to the answer to the leave. Whoever joins
// the room again meanwhile must not take that for answers to its own join: answers come in order
// (PR-12), so all before the answer to the leave is of the time before.

/** @import {Refusal, RoomFrame} from "./frames.js" */

export class Farewells {
  /** @type {Map<string, {histories: number}[]>} by room: leaves without an answer, oldest first */
  #open = new Map();

  /**
   * A leave was written.
   *
   * @param {string} room
   * @param {number} histories how many pages of history were asked for before it and not answered
   */
  left(room, histories) {
    this.#open.set(room, [...(this.#open.get(room) ?? []), { histories }]);
  }

  /** The socket is gone, and every answer with it. */
  clear() {
    this.#open.clear();
  }

  /**
   * Whether a frame is of the time before a leave. Acks never are: they are about commands.
   *
   * @param {RoomFrame | Refusal} frame
   */
  swallows(frame) {
    const waiting = this.#open.get(frame.room ?? "");
    const first = waiting?.[0];
    if (!waiting || !first || frame.type === "ack") {
      return false;
    }
    // A room that was not joined any more answers each of what was asked with this.
    const isNotJoined =
      frame.type === "error" && frame.code === "not_joined" && !frame.clientMessageId;
    if (frame.type === "history" || (isNotJoined && first.histories > 0)) {
      first.histories--;
    } else if (isNotJoined || (frame.type === "left" && frame.reason === "requested")) {
      waiting.shift();
      if (waiting.length === 0) {
        this.#open.delete(frame.room ?? "");
      }
    }
    return true;
  }
}
