package dev.postroom.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Idempotency-Key}: a {@code clientMessageId}, either bare or as a string of RFC
 * 8941 ({@code "…"}, with {@code \"} and {@code \\}). Whether the id itself is good is for the same
 * rules to say as on the socket.
 *
 * <p>Pure: header values in, an id or a refusal out.
 */
final class IdempotencyKey {

  static final String HEADER = "Idempotency-Key";

  private IdempotencyKey() {}

  /**
   * @throws Refusal if there is not exactly one, or it is malformed
   */
  static String parse(@Nullable List<String> values) {
    if (values == null || values.isEmpty()) {
      throw refusal(
          "is needed: a name that you choose for this command and keep when you repeat it");
    }
    if (values.size() > 1) {
      throw refusal("must be sent once");
    }
    String value = values.get(0).strip();
    if (value.isEmpty()) {
      throw refusal("must not be empty");
    }
    return value.startsWith("\"") ? quoted(value) : bare(value);
  }

  private static String bare(String value) {
    // Two headers that a proxy has joined look like this.
    if (value.indexOf(',') >= 0 || value.indexOf('"') >= 0) {
      throw refusal("with a comma or quotation mark in it must be quoted");
    }
    return value;
  }

  private static String quoted(String value) {
    StringBuilder id = new StringBuilder();
    int at = 1;
    while (at < value.length() && value.charAt(at) != '"') {
      char c = value.charAt(at);
      if (c == '\\') {
        at++;
        boolean escapable = at < value.length() && "\"\\".indexOf(value.charAt(at)) >= 0;
        if (!escapable) {
          throw refusal("may escape quotation marks and backslashes only");
        }
        c = value.charAt(at);
      }
      id.append(c);
      at++;
    }
    if (at != value.length() - 1) {
      throw refusal("must end with its closing quotation mark");
    }
    if (id.isEmpty()) {
      throw refusal("must not be empty");
    }
    return id.toString();
  }

  private static Refusal refusal(String what) {
    return new Refusal(Problem.invalid(HEADER, HEADER + " " + what + "."));
  }
}
