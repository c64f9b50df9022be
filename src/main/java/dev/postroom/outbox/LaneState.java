package dev.postroom.outbox;

/** What a lane is doing, as administrators are told. */
public enum LaneState {
  /** Everything was handed over. */
  IDLE("idle", "idle"),
  /** There is something to hand over, and nothing in its way. */
  READY("ready", "ready"),
  /** A node is at it. */
  DELIVERING("leased", "delivering"),
  /** Its last try failed; it waits for the next. */
  BACKOFF("backoff", "backoff"),
  /** It stands until somebody takes it up again. */
  PARKED("parked", "parked");

  private final String column;
  private final String word;

  LaneState(String column, String word) {
    this.column = column;
    this.word = word;
  }

  /** How it is written in the table. */
  public String column() {
    return column;
  }

  /** How it is written on the wire. */
  public String word() {
    return word;
  }

  /**
   * @throws IllegalArgumentException if no lane can have it
   */
  public static LaneState ofColumn(String column) {
    for (LaneState state : values()) {
      if (state.column.equals(column)) {
        return state;
      }
    }
    throw new IllegalArgumentException("no state of a lane: " + column);
  }
}
