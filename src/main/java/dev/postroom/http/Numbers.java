package dev.postroom.http;

import org.jspecify.annotations.Nullable;

/**
 * Numbers in query parameters, read by hand because JAX-RS answers 404 to a bad one.
 *
 * <p>Pure: text in, a number or a refusal out.
 */
final class Numbers {

  /** Above every seq; JSON numbers are exact below. */
  static final long ABOVE_ALL = 1L << 53;

  private Numbers() {}

  /** Null if the parameter is absent. */
  static @Nullable Long optional(String name, @Nullable String text, long least, long most) {
    if (text == null) {
      return null;
    }
    if (text.matches("[0-9]{1,16}")) {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw new Refusal(
        Problem.invalid(
            name, name + " must be a whole number from " + least + " to " + most + "."));
  }

  /** A number from 0 on that must be there. */
  static long needed(String name, String text) {
    Long number = optional(name, text, 0, ABOVE_ALL - 1);
    return number == null ? 0 : number;
  }

  static int orDefault(String name, @Nullable String text, int least, int most, int otherwise) {
    Long number = optional(name, text, least, most);
    return number == null ? otherwise : number.intValue();
  }
}
