package dev.postroom.db;

/** The database is known to be away; nothing was sent to it. */
public final class DatabaseAway extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DatabaseAway() {
    super("the database is away", null, false, false);
  }
}
