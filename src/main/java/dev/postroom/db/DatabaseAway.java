package dev.postroom.db;

/**
 * The database is known to be away.
 *
 * <p>Whether the statements ran is unknown, unless none had been sent.
 */
public final class DatabaseAway extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean sent;

  DatabaseAway(boolean sent) {
    super("the database is away", null, false, false);
    this.sent = sent;
  }

  /** False if it is certain that nothing reached the database. */
  public boolean sent() {
    return sent;
  }
}
