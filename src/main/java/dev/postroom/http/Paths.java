package dev.postroom.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Whether the path of a request says the same to everybody who reads it.
 *
 * <p>Routers tidy a path up before they look at it: they follow {@code ..} also when it is written
 * {@code %2e%2e}, drop empty segments and what follows a semicolon, and read bytes that are no
 * UTF-8 as U+FFFD. Then a call about a member becomes one about the room, or about another member.
 *
 * <p>Pure: a raw path in, an answer out.
 */
final class Paths {

  private static final int LAST_PRINTABLE = 0x7e;

  private Paths() {}

  /** What is wrong with it, for people; null if nothing is. */
  static @Nullable String fault(String path) {
    if (path.chars().anyMatch(c -> c <= ' ' || c > LAST_PRINTABLE)) {
      return "has characters that must be percent-encoded";
    }
    String[] segments = path.split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      // The first is what is before the first slash, the last may be a closing slash.
      boolean mayBeEmpty = i == 0 || i == segments.length - 1;
      String fault = segments[i].isEmpty() && !mayBeEmpty ? "has an empty segment" : null;
      fault = fault == null ? segmentFault(segments[i]) : fault;
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private static @Nullable String segmentFault(String segment) {
    if (segment.indexOf(';') >= 0) {
      return "has a semicolon, which must be written %3B";
    }
    String decoded = decode(segment);
    if (decoded == null) {
      return "is not percent-encoded UTF-8";
    }
    return decoded.equals(".") || decoded.equals("..") ? "has a segment . or .." : null;
  }

  private static @Nullable String decode(String segment) {
    ByteBuffer bytes = ByteBuffer.allocate(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c != '%') {
        bytes.put((byte) c);
        continue;
      }
      int value = i + 2 < segment.length() ? hex(segment, i + 1) : -1;
      if (value < 0) {
        return null;
      }
      bytes.put((byte) value);
      i += 2;
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** The byte that two digits say, or a negative number. */
  private static int hex(String text, int at) {
    int high = Character.digit(text.charAt(at), 16);
    int low = Character.digit(text.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }
}
