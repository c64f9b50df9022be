package dev.postroom.db;

/** No connection could be had; nothing was sent. */
public final class NoConnection extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoConnection(Throwable cause) {
    super("no connection to the database: " + cause.getMessage(), cause, false, false);
  }
}
