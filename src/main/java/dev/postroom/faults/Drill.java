package dev.postroom.faults;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is to go wrong once.
 *
 * @param participant whom it befalls; of no account for {@link Kind#NEW_EPOCH}
 * @param room where, for {@link Kind#REPEAT_DELTA}; of no account otherwise
 * @param ms how long, for {@link Kind#FREEZE}
 */
public record Drill(Kind kind, String participant, @Nullable String room, long ms) {

  public static final long FREEZE_MS = 10_000;
  public static final long LONGEST_FREEZE_MS = 30_000;

  /**
   * @throws IllegalArgumentException if a value is missing or out of its range; the first word of
   *     the message is the field
   */
  public Drill {
    if (kind != Kind.NEW_EPOCH && participant.isEmpty()) {
      throw new IllegalArgumentException("participant must say whom it is to befall.");
    }
    if (kind == Kind.REPEAT_DELTA && room == null) {
      throw new IllegalArgumentException("room must say where the delta is to be repeated.");
    }
    if (ms < 1 || ms > LONGEST_FREEZE_MS) {
      throw new IllegalArgumentException(
          "ms must be from 1 to " + LONGEST_FREEZE_MS + " milliseconds.");
    }
  }

  /** What there is to order. */
  public enum Kind {
    /** The next ack is not sent. */
    LOSE_ACK("lose_ack"),
    /** The next command arrives twice. */
    SEND_TWICE("send_twice"),
    /** The next command gets a temporary error. */
    REFUSE("refuse"),
    /** The sockets are gone without a word. */
    CUT("cut"),
    /** Nothing gets through in either direction for a while. */
    FREEZE("freeze"),
    /** What came last comes once more, as a delta. */
    REPEAT_DELTA("repeat_delta"),
    /** Every room begins a new epoch. */
    NEW_EPOCH("new_epoch");

    private final String wire;

    Kind(String wire) {
      this.wire = wire;
    }

    /**
     * @throws IllegalArgumentException if there is no such drill
     */
    public static Kind parse(@Nullable String word) {
      return Arrays.stream(values())
          .filter(kind -> kind.wire.equals(word))
          .findAny()
          .orElseThrow(() -> new IllegalArgumentException("drill must be one of " + words() + "."));
    }

    private static String words() {
      return Arrays.stream(values()).map(kind -> kind.wire).collect(Collectors.joining(", "));
    }
  }
}
