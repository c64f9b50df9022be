package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.postroom.protocol.ErrorCode;
import dev.postroom.testkit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A7: refused before the database, and each error names its field")
class SubmissionRulesTest {
  private final SubmissionRules rules = new SubmissionRules(16_384);

  static Stream<Arguments> broken() {
    return Stream.of(
        Arguments.of("room", ErrorCode.INVALID, "", "k", "t", null),
        Arguments.of("room", ErrorCode.INVALID, "a/b", "k", "t", null),
        Arguments.of("room", ErrorCode.INVALID, "ä", "k", "t", null),
        Arguments.of("room", ErrorCode.INVALID, "r".repeat(129), "k", "t", null),
        // ACC-13
        Arguments.of("clientMessageId", ErrorCode.INVALID, "r", null, "t", null),
        Arguments.of("clientMessageId", ErrorCode.INVALID, "r", "", "t", null),
        Arguments.of("clientMessageId", ErrorCode.INVALID, "r", "k".repeat(129), "t", null),
        Arguments.of("clientMessageId", ErrorCode.INVALID, "r", "k\n", "t", null),
        Arguments.of("clientMessageId", ErrorCode.INVALID, "r", "k\u007f", "t", null),
        Arguments.of("clientMessageId", ErrorCode.INVALID, "r", "schlüssel", "t", null),
        Arguments.of("ifHead", ErrorCode.INVALID, "r", "k", "t", -1L),
        Arguments.of("text", ErrorCode.INVALID, "r", "k", null, null),
        Arguments.of("text", ErrorCode.INVALID, "r", "k", "", null),
        // TXT-01, L18
        Arguments.of("text", ErrorCode.INVALID, "r", "k", "a\0b", null),
        Arguments.of("text", ErrorCode.INVALID, "r", "k", "\ud83d", null),
        Arguments.of("text", ErrorCode.INVALID, "r", "k", "\ude00\ud83d", null),
        Arguments.of("text", ErrorCode.INVALID, "r", "k", "\ud83d!", null),
        Arguments.of("text", ErrorCode.TOO_LARGE, "r", "k", "x".repeat(16_385), null),
        Arguments.of("text", ErrorCode.TOO_LARGE, "r", "k", "ä".repeat(8_193), null),
        Arguments.of("text", ErrorCode.TOO_LARGE, "r", "k", "\ud83d\ude00".repeat(4_097), null));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void refused(String field, ErrorCode code, String room, String id, String text, Long ifHead) {
    Outcome.Refused refused =
        rules.check(new Submission("s", Accepting.principal("ann"), room, id, text, ifHead));
    assertEquals(field, refused.field());
    assertEquals(code, refused.code());
  }

  static Stream<Arguments> fine() {
    return Stream.of(
        Arguments.of("r", "k", "t"),
        Arguments.of("A.z_0:-".repeat(18), "~ !", "\\u0000"),
        Arguments.of("r", "k".repeat(128), "x".repeat(16_384)),
        Arguments.of("r", "k", "\ud83d\ude00".repeat(4_096)),
        Arguments.of("r", "k", "\r\n"),
        Arguments.of("r", "k", "\ufeff\uffff\u202e"));
  }

  @ParameterizedTest
  @MethodSource("fine")
  void passes(String room, String id, String text) {
    assertNull(rules.check(new Submission("s", Accepting.principal("ann"), room, id, text, 0L)));
  }

  @Test
  void lengthInUtf8() {
    long seed = Seed.pick("lengthInUtf8");
    Random random = new Random(seed);
    for (int n = 0; n < 1_000; n++) {
      StringBuilder text = new StringBuilder();
      random
          .ints(random.nextInt(20), 0, Character.MAX_CODE_POINT + 1)
          .filter(c -> c < 0xD800 || c > 0xDFFF)
          .forEach(text::appendCodePoint);
      assertEquals(
          text.toString().getBytes(StandardCharsets.UTF_8).length,
          SubmissionRules.utf8Length(text.toString()),
          "seed " + seed);
    }
  }
}
