package dev.postroom.bench.load;

/**
 * How a command is named and what it says: id {@code sender-number}, text {@code id stamp xxxx…}.
 * So whoever hears it knows who sent it and when, in the nanoseconds of this very process.
 */
final class CommandId {

  /** A text that is not one of ours. */
  static final int NONE = -1;

  private static final String PADDING = "x".repeat(64 * 1024);

  private CommandId() {}

  static String of(int sender, int command) {
    return sender + "-" + command;
  }

  static String text(String id, long stampNanos, int bytes) {
    String head = id + ' ' + stampNanos + ' ';
    return head + PADDING.substring(0, Math.max(0, bytes - head.length()));
  }

  static int sender(String text) {
    return (int) number(text, 0, text.indexOf('-'));
  }

  static int command(String text) {
    int from = text.indexOf('-') + 1;
    int to = text.indexOf(' ', from);
    return (int) number(text, from, to < 0 ? text.length() : to);
  }

  static long stampNanos(String text) {
    int from = text.indexOf(' ') + 1;
    return number(text, from, text.indexOf(' ', from));
  }

  private static long number(String text, int from, int to) {
    if (from < 0 || to <= from) {
      return NONE;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return NONE;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
