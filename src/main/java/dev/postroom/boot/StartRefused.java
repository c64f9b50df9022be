package dev.postroom.boot;

import org.jspecify.annotations.Nullable;

/**
 * The service cannot start for a reason that the person who started it can change. The message is
 * one line: what happened, then what to do. It is shown as it is, without a stack trace.
 */
public final class StartRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** One line: what happened, what to do. */
  public StartRefused(String message) {
    super(message.replaceAll("\\s*[\\r\\n]+\\s*", " "));
  }

  /** The same, keeping what was found underneath for a debugger. */
  public StartRefused(String message, @Nullable Throwable cause) {
    super(message.replaceAll("\\s*[\\r\\n]+\\s*", " "), cause);
  }
}
