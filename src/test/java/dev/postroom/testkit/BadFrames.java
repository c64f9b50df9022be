package dev.postroom.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Frames that no client should send, without end, the same for the same seed (FAN-06).
 *
 * <p>Most are broken, some only odd, and by chance a few are right: the reader must answer all of
 * them. None is longer than {@link #MAX_CHARS}. Confined to one thread.
 */
public final class BadFrames {
  public static final int MAX_CHARS = 20_000;

  /** Put where a value, a whole frame or a piece of one stood. */
  private static final List<String> ODDITIES =
      List.of(
          "null",
          "true",
          "0",
          "-0",
          "-1",
          "1.5",
          "1e3",
          "1e999999999",
          "-1E-400",
          "NaN",
          "Infinity",
          "01",
          "+1",
          "0x10",
          "9007199254740991",
          "9007199254740992",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775809",
          "\"\"",
          "\"x\"",
          "'x'",
          "[]",
          "{}",
          "[[]]",
          "[null]",
          "{\"a\":1,\"a\":2}",
          "\"\\ud800\"",
          "\"\\udc00\\ud800\"",
          "\"\ud800\"",
          "\"\udc00x\"",
          "\"\\u0000\"",
          "\"\u0000\"",
          "\"\\u12\"",
          "\"\\x41\"",
          "\"\\",
          "\"\u2028\u2029\"",
          "\uFEFF",
          "\uFFFE",
          "\u0000",
          "",
          " ",
          ",",
          ":",
          "}",
          "]",
          "{",
          "[",
          "\"",
          "\\",
          "//x\n",
          "/**/",
          "#",
          "undefined",
          "{\"type\":\"ping\"}",
          "\"type\":\"ping\"",
          "\"__proto__\":{\"type\":\"ping\"}");

  private static final String PIECES =
      "{}[]\",:\\/+-.0123456789eEtrufalsn \t\r\n\u0000\u2028\ud800é";

  private final Random random;
  private final List<String> goldens;

  public BadFrames(long seed) {
    random = new Random(seed);
    goldens = List.copyOf(Goldens.all("client-").values());
  }

  public String next() {
    String frame =
        switch (random.nextInt(16)) {
          case 0 -> bytes();
          case 1 -> any(ODDITIES);
          case 2 -> soup();
          case 3 -> deep();
          case 4 -> "{\"type\":" + number() + "}";
          case 5 -> any(goldens) + any(ODDITIES);
          case 6 -> any(ODDITIES) + any(goldens);
          case 7 -> any(goldens).replaceAll("\"(\\w+)\":", any(ODDITIES).replace("\\", "") + ":");
          default -> mutations();
        };
    return frame.length() <= MAX_CHARS ? frame : frame.substring(0, MAX_CHARS);
  }

  private String mutations() {
    String frame = any(goldens);
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      frame = mutation(frame);
    }
    return frame;
  }

  private String mutation(String frame) {
    int from = random.nextInt(frame.length() + 1);
    int to = from + random.nextInt(Math.min(frame.length() - from, 12) + 1);
    String before = frame.substring(0, from);
    String after = frame.substring(to);
    return switch (random.nextInt(8)) {
      case 0 -> before; // broken off
      case 1 -> before + after; // a piece is missing
      case 2 -> before + frame.substring(from, to) + frame.substring(from); // a piece comes twice
      case 3 -> before + any(ODDITIES) + after;
      case 4 -> before + PIECES.charAt(random.nextInt(PIECES.length())) + after;
      case 5 -> before + any(goldens) + after;
      case 6 -> replaceValue(frame, number());
      default -> replaceValue(frame, random.nextInt(50) == 0 ? nested(400) : any(ODDITIES));
    };
  }

  /** The value after some colon, up to the next comma or brace, becomes another. */
  private String replaceValue(String frame, String value) {
    int colon = frame.indexOf(':', random.nextInt(frame.length() + 1));
    if (colon < 0) {
      return frame + value;
    }
    int end = colon + 1;
    while (end < frame.length() && ",}]".indexOf(frame.charAt(end)) < 0) {
      end++;
    }
    return frame.substring(0, colon + 1) + value + frame.substring(end);
  }

  private String bytes() {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    return new String(
        bytes, random.nextBoolean() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
  }

  private String soup() {
    StringBuilder soup = new StringBuilder("{");
    for (int left = random.nextInt(60); left > 0; left--) {
      soup.append(PIECES.charAt(random.nextInt(PIECES.length())));
    }
    return soup.toString();
  }

  private String deep() {
    int depth = random.nextInt(20) == 0 ? MAX_CHARS / 2 : random.nextInt(200);
    return switch (random.nextInt(4)) {
      case 0 -> "[".repeat(depth);
      case 1 -> "{\"type\":".repeat(depth / 8 + 1) + "\"ping\"";
      case 2 -> nested(depth);
      default -> "{\"type\":\"ping\",\"x\":" + nested(depth) + "}";
    };
  }

  private static String nested(int depth) {
    return "[".repeat(depth) + "]".repeat(depth);
  }

  private String number() {
    int digits = 1 + random.nextInt(random.nextInt(40) == 0 ? 5000 : 30);
    StringBuilder number = new StringBuilder(random.nextBoolean() ? "" : "-");
    for (int left = digits; left > 0; left--) {
      number.append((char) ('0' + random.nextInt(10)));
    }
    return random.nextInt(4) == 0 ? number + "e" + random.nextInt() : number.toString();
  }

  private String any(List<String> from) {
    return from.get(random.nextInt(from.size()));
  }
}
