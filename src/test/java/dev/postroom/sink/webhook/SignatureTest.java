package dev.postroom.sink.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.sink.webhook.Signature.Verdict;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {
  // The example that the standard's own libraries are tested with; in two parts, because tools that
  // look for leaked secrets would find it.
  private static final SigningSecret SECRET =
      SigningSecret.parse("whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final long TIME = 1614265330;
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);
  private static final String PUBLISHED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private static final SigningSecret OTHER = SigningSecret.generate(new SecureRandom());

  @Test
  @DisplayName("W6: the published example")
  void published() {
    assertEquals(PUBLISHED, Signature.sign(ID, TIME, BODY, List.of(SECRET)));
    assertEquals(Verdict.GOOD, verify(PUBLISHED, TIME));
  }

  @Test
  @DisplayName("W12: every live secret signs, the newest first, and any one will do")
  void everySecretSigns() {
    String both = Signature.sign(ID, TIME, BODY, List.of(OTHER, SECRET));
    assertEquals(Signature.sign(ID, TIME, BODY, List.of(OTHER)) + " " + PUBLISHED, both);
    assertEquals(Verdict.GOOD, verify(both, TIME));
    assertEquals(Verdict.GOOD, verify("v1a,abc v2,def " + PUBLISHED, TIME));
  }

  @ParameterizedTest
  @DisplayName("W12: five minutes either way are forgiven, more is not")
  @CsvSource({
    "0, GOOD",
    "300, GOOD",
    "-300, GOOD",
    "301, OUT_OF_TIME",
    "-301, OUT_OF_TIME",
    "600, OUT_OF_TIME"
  })
  void clocksMayDiffer(long seconds, Verdict expected) {
    assertEquals(expected, verify(PUBLISHED, TIME + seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "v1,", "v1", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OF=", "v1a,x"})
  void wrongIsWrong(String signature) {
    assertEquals(Verdict.WRONG, verify(signature, TIME));
  }

  @Test
  @DisplayName("W6: another byte, id, time or secret is another signature")
  void everythingIsSigned() {
    Instant now = Instant.ofEpochSecond(TIME);
    Duration tolerance = Signature.TOLERANCE;
    byte[] other = "{\"test\":2432232314}".getBytes(UTF_8);
    List<SigningSecret> secrets = List.of(SECRET);
    String time = Long.toString(TIME);
    assertEquals(
        Verdict.WRONG, Signature.verify(ID, time, PUBLISHED, other, secrets, now, tolerance));
    assertEquals(
        Verdict.WRONG, Signature.verify("x", time, PUBLISHED, BODY, secrets, now, tolerance));
    assertEquals(
        Verdict.WRONG,
        Signature.verify(ID, "1614265331", PUBLISHED, BODY, secrets, now, tolerance));
    assertEquals(
        Verdict.WRONG, Signature.verify(ID, time, PUBLISHED, BODY, List.of(OTHER), now, tolerance));
    assertEquals(
        Verdict.WRONG, Signature.verify(ID, time, PUBLISHED, BODY, List.of(), now, tolerance));
  }

  @ParameterizedTest
  @CsvSource({
    ", 1614265330, v1",
    "'', 1614265330, v1",
    "id, , v1",
    "id, 1614265330, ",
    "id, -1, v1",
    "id, 1e9, v1",
    "id, 99999999999999999999, v1"
  })
  void halfAHeaderIsMalformed(String id, String timestamp, String signature) {
    assertEquals(
        Verdict.MALFORMED,
        Signature.verify(
            id, timestamp, signature, BODY, List.of(SECRET), Instant.EPOCH, Signature.TOLERANCE));
  }

  @Test
  void aNewSecretHas32BytesAndIsNotPrinted() {
    String text = OTHER.text();
    assertEquals(32, Base64.getDecoder().decode(text.substring("whsec_".length())).length);
    assertEquals(text, SigningSecret.parse(text).text());
    assertFalse(OTHER.toString().contains(text.substring(6)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "whsec_", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_*"})
  void whatIsNoSecretIsNotRepeated(String text) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> SigningSecret.parse(text));
    assertEquals("A signing secret is whsec_ and base64 of at least 24 bytes.", wrong.getMessage());
  }

  private static Verdict verify(String signature, long now) {
    return Signature.verify(
        ID,
        Long.toString(TIME),
        signature,
        BODY,
        List.of(SECRET),
        Instant.ofEpochSecond(now),
        Signature.TOLERANCE);
  }
}
