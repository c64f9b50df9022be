// The guard against blind replies: a text is accepted only on top of what its author had seen
// (`ifHead`). What only one's own messages stand in the way of is sent again by itself; where others
// wrote, people decide.

export class Guard {
  #room;

  constructor(room) {
    this.#room = room;
  }

  /**
   * @param {number | null} seen the number of the last message that the author saw; null: unknown
   */
  send(text, seen) {
    // One that follows an unanswered one stands on the same ground: should somebody else's message
    // take the place of the first, the second must not be taken for having seen it.
    const before = this.#room.pending.find(
      (command) => command.ifHead !== null && (isOpen(command) || this.isBeingSettled(command)),
    );
    const head = before?.ifHead ?? seen ?? undefined;
    return this.#room.send(text, head === undefined ? {} : { ifHead: head });
  }

  /** Messages of others after this number, that are in view. */
  unseen(seen) {
    return this.#room.messages.filter(({ seq, own }) => seq > seen && !own);
  }

  /** The author has read what came, and wants it sent on top of that. */
  sendAnyway(command) {
    const { cursor } = this.#room;
    if (command.state === "failed") {
      // First the new one, which is kept, then the old one is let go: a crash between loses nothing.
      this.#room.send(command.text, cursor ? { ifHead: cursor.after } : {});
      command.discard();
    }
  }

  /**
   * Sends again what only one's own messages have overtaken, one after another, so that they stay in
   * their order. To be called when anything changed.
   */
  settle() {
    const { pending } = this.#room;
    const first = pending.find((command) => this.isBeingSettled(command));
    if (first && !pending.some(isOpen)) {
      this.sendAnyway(first);
    }
  }

  /** Refused for its place only, with nothing of others to read before it is sent again. */
  isBeingSettled(command) {
    const head = command.ifHead;
    const { cursor, messages, state } = this.#room;
    const isStale = command.state === "failed" && command.failure?.code === "stale_head";
    if (!isStale || head === null || !cursor || state.name !== "live") {
      return false;
    }
    const isInView = cursor.after >= (command.failure.head ?? Infinity) && cursor.after > head;
    const since = messages.filter(({ seq }) => seq > head);
    return isInView && since.length === cursor.after - head && since.every(({ own }) => own);
  }
}

function isOpen({ state }) {
  return state === "queued" || state === "sent";
}
