package dev.postroom.outbox;

import java.time.Duration;

/**
 * Up to which number outbox rows have left, as far as can be told.
 *
 * <p>Dead rows below are not looked at again, so a look costs the same however long an old snapshot
 * keeps them. A row may be written with a lower number than one that was seen: hence the wait, and
 * the sweep, which looks at everything. What a sweep finds below says that the numbers have begun
 * anew, as in a database that was restored: then so does this.
 *
 * <p>Pure: times in nanoseconds in. Confined to the relay's event loop.
 */
final class LowWater {
  /** Longer than a transaction that accepts can last. */
  private static final long SETTLED_NANOS = Duration.ofSeconds(10).toNanos();

  private long number;
  private long soon;
  private long since;

  LowWater(long now) {
    since = now;
  }

  long number() {
    return number;
  }

  /**
   * Rows were taken out.
   *
   * @param above the number above which rows were looked for
   * @return whether only a sweep could find them
   */
  boolean rung(Outbox.Rung rung, long above, long now) {
    boolean below = above < number && rung.taken() > 0 && rung.highest() <= number;
    if (below) {
      number = 0;
      soon = 0;
      since = now;
    } else if (now - since > SETTLED_NANOS) {
      number = Math.max(number, soon);
      soon = rung.highest();
      since = now;
    }
    return below;
  }
}
