package dev.postroom.access;

/**
 * The service must not start like this. The message is one line for the operator: what is wrong and
 * what to do.
 */
public final class StartRefused extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public StartRefused(String message) {
    super(message);
  }
}
