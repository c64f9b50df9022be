package dev.postroom.bench.peer;

import org.jspecify.annotations.Nullable;

/**
 * Finds fields in JSON text without parsing all of it: the generator reads several hundred thousand
 * frames a second, whose strings it knows to need no unescaping. Pure.
 */
final class Frame {

  private Frame() {}

  /**
   * The string behind the first occurrence of this, which ends with the opening quotation mark;
   * null if there is none.
   */
  static @Nullable String string(String frame, String key, int from) {
    int at = frame.indexOf(key, from);
    if (at < 0) {
      return null;
    }
    int start = at + key.length();
    return frame.substring(start, frame.indexOf('"', start));
  }

  /** The whole number behind the first occurrence of this; -1 if there is none. */
  static long number(String frame, String key, int from) {
    int at = frame.indexOf(key, from);
    if (at < 0) {
      return -1;
    }
    long number = 0;
    for (int i = at + key.length(); i < frame.length(); i++) {
      int digit = frame.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
