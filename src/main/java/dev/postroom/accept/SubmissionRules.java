package dev.postroom.accept;

import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.RoomId;
import org.jspecify.annotations.Nullable;

/**
 * What is refused before the database is asked (A7). The rest of Unicode passes byte for byte.
 *
 * <p>Pure: safe for any thread.
 */
final class SubmissionRules {
  static final int ID_LENGTH = 128;
  private static final int NO_UTF8 = -1;

  private final int textBytes;

  /**
   * @param textBytes longest text, in bytes of UTF-8
   */
  SubmissionRules(int textBytes) {
    this.textBytes = textBytes;
  }

  int textBytes() {
    return textBytes;
  }

  /** The first rule that is broken, or null. */
  Outcome.@Nullable Refused check(Submission submission) {
    if (!RoomId.isValid(submission.room())) {
      return invalid("room", "room must be " + RoomId.RULE);
    }
    if (!isId(submission.clientMessageId())) {
      return invalid(
          "clientMessageId",
          "clientMessageId must be 1 to " + ID_LENGTH + " printable ASCII characters");
    }
    Long ifHead = submission.ifHead();
    if (ifHead != null && ifHead < 0) {
      return invalid("ifHead", "ifHead must be a seq, or 0 for an empty room");
    }
    return checkText(submission.text());
  }

  private Outcome.@Nullable Refused checkText(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return invalid("text", "text must not be empty");
    }
    if (text.indexOf('\0') >= 0) {
      return invalid("text", "text must not contain U+0000; remove it");
    }
    long bytes = utf8Length(text);
    if (bytes == NO_UTF8) {
      return invalid("text", "text contains half of a surrogate pair; send whole characters");
    }
    if (bytes > textBytes) {
      return new Outcome.Refused(
          ErrorCode.TOO_LARGE,
          "text has " + bytes + " bytes in UTF-8, " + textBytes + " are allowed; shorten it",
          "text",
          null);
    }
    return null;
  }

  private static boolean isId(@Nullable String id) {
    return id != null
        && !id.isEmpty()
        && id.length() <= ID_LENGTH
        && id.chars().allMatch(c -> c >= 0x20 && c <= 0x7E);
  }

  /** Bytes in UTF-8, or {@link #NO_UTF8} if a surrogate stands alone. */
  static long utf8Length(String text) {
    long bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes += 1;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        return NO_UTF8;
      }
    }
    return bytes;
  }

  private static Outcome.Refused invalid(String field, String message) {
    return new Outcome.Refused(ErrorCode.INVALID, message, field, null);
  }
}
