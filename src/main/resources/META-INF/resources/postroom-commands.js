// The commands of one room, from asked for to answered for good (A1, A2, N2): sent in order,
// repeated with the same id, never overtaking one that has to be repeated.

/**
 * What was asked for under which id, and how far it got.
 *
 * @typedef {{clientMessageId: string, text: string, inFlight: boolean, failed: boolean,
 *   tries: number}} Command
 */

export class Commands {
  /** @type {Command[]} not yet answered for good, in the order in which they were asked for */
  pending = [];
  /** clientMessageId to the answers it got: acks and permanent errors, oldest first. */
  answers = new Map();
  #window = 16;
  #textBytes = Infinity;

  /** What the server's welcome allows. */
  obey({ pendingCommands, textBytes }) {
    this.#window = Math.max(1, Math.floor(pendingCommands / 2));
    this.#textBytes = textBytes;
  }

  add(text, clientMessageId) {
    this.pending.push({ clientMessageId, text, inFlight: false, failed: false, tries: 0 });
    this.#refuseTooLong();
  }

  /** Those to be sent now, in order and not too many; they are under way from here on. */
  takeReady() {
    this.#refuseTooLong();
    if (this.pending.some((command) => command.failed)) {
      // What is under way behind a failed one is answered first; else a repeat could overtake.
      if (this.pending.some((command) => command.inFlight)) {
        return [];
      }
      this.pending.forEach((command) => (command.failed = false));
    }
    const ready = this.pending.slice(0, this.#window).filter((command) => !command.inFlight);
    for (const command of ready) {
      command.inFlight = true;
      command.tries++;
    }
    return ready;
  }

  isUnderWay(clientMessageId) {
    return this.#underWay(clientMessageId) !== undefined;
  }

  /** An ack, or an error for good. */
  settle(answer) {
    this.#end(this.#underWay(answer.clientMessageId), answer);
  }

  /**
   * The server could not read a frame: what is true of any is true of the longest under way. Sent
   * again it would cost the socket again, and hold up all that come after it.
   */
  refuseLongest() {
    const size = ({ text }) => bytes(JSON.stringify(text));
    const [longest] = this.pending
      .filter((command) => command.inFlight)
      .sort((one, other) => size(other) - size(one));
    if (longest) {
      this.#refuse(longest, "The text is too long for the server to read. Send less at once.");
    }
  }

  /** The server would refuse it, or not even read it. */
  #refuseTooLong() {
    for (const command of this.pending.filter(({ inFlight }) => !inFlight)) {
      const size = bytes(command.text);
      if (size > this.#textBytes) {
        this.#refuse(command, `The text has ${size} bytes; ${this.#textBytes} may be sent at once.`);
      }
    }
  }

  /** In the form of the server's own answer. */
  #refuse(command, message) {
    const { clientMessageId } = command;
    this.#end(command, {
      type: "error", code: "too_large", message, temporary: false, clientMessageId, field: "text",
    });
  }

  #end(command, answer) {
    this.pending = this.pending.filter((each) => each !== command);
    const before = this.answers.get(answer.clientMessageId) ?? [];
    this.answers.set(answer.clientMessageId, [...before, { ...answer, text: command?.text }]);
  }

  /** Refused for the moment: to be repeated before all that come after it. */
  fail(clientMessageId) {
    Object.assign(this.#underWay(clientMessageId), { inFlight: false, failed: true });
  }

  /** The socket is gone: whatever was under way may or may not have arrived. */
  lose() {
    this.pending.forEach((command) => Object.assign(command, { inFlight: false, failed: false }));
  }

  #underWay(clientMessageId) {
    return this.pending.find((each) => each.inFlight && each.clientMessageId === clientMessageId);
  }
}

/** In UTF-8. */
function bytes(text) {
  return new TextEncoder().encode(text).length;
}
