package dev.postroom.access;

/**
 * Whether the token is good cannot be said at the moment, because the keys cannot be had. Told to
 * the client as {@code unavailable}: temporary, unlike {@link TokenRejected}.
 */
public final class KeysUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  KeysUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
