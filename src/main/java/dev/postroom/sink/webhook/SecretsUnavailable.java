package dev.postroom.sink.webhook;

/** Secrets cannot be kept, or not be read again. The message tells an operator what to do. */
public final class SecretsUnavailable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  SecretsUnavailable(String message) {
    super(message);
  }
}
