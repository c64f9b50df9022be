package dev.postroom.db;

/**
 * Others were faster several times in a row. Nothing is wrong with the request: it is worth another
 * try a little later.
 */
public final class Contended extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param message what is going on, for people
   */
  public Contended(String message) {
    super(message, null, false, false);
  }
}
