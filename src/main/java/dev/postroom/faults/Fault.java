package dev.postroom.faults;

/** What can go wrong by chance, under the name of its proportion. */
public enum Fault {
  /** The command was accepted, and nobody says so. */
  DROP_ACK("dropAcks"),
  /** The ack comes late, behind others. */
  DELAY_ACK("delayAcks"),
  /** A live event or a delta comes twice. */
  REPEAT_EVENT("repeatEvents"),
  /** A command arrives twice. */
  REPEAT_COMMAND("repeatCommands"),
  /** The connection is gone without a word, before or after a frame was heard. */
  CUT_SOCKET("cutSockets"),
  /** A command, join or request for history gets a temporary error. */
  REFUSE("refuse"),
  /** Every room begins a new epoch; at most once a second. */
  MOVE_EPOCH("moveEpochs");

  private final String field;

  Fault(String field) {
    this.field = field;
  }

  public String field() {
    return field;
  }
}
