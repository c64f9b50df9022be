package dev.postroom.db;

/**
 * The database is known to take no writes: a fail-over is under way, or somebody has said so.
 * Nothing was sent.
 */
public final class ReadOnly extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReadOnly() {
    super("the database is read-only", null, false, false);
  }
}
