package dev.postroom.db;

import java.time.Duration;

/**
 * The database did not answer in time.
 *
 * <p>Whether the statements ran is unknown, unless none had been sent.
 */
public final class DeadlinePassed extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean sent;

  DeadlinePassed(Duration deadline, boolean sent) {
    super("no answer from the database within " + deadline.toMillis() + " ms", null, false, false);
    this.sent = sent;
  }

  /** False if it is certain that nothing reached the database. */
  public boolean sent() {
    return sent;
  }
}
