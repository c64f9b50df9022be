package dev.postroom.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FrameWriterTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");

  @Test
  @DisplayName("F2 the body is pasted into message, snapshot, delta and history as it is")
  void pasted() throws Exception {
    EncodedBody one = FrameCodec.encode(body(1, "one"));
    EncodedBody two = FrameCodec.encode(body(2, "two"));
    JsonNode message = JSON.readTree(FrameCodec.encode(new ServerFrame.Message("r", "e", one)));
    assertEquals("message", message.get("type").asText());
    assertEquals("r", message.get("room").asText());
    assertEquals(JSON.readTree(one.json()).get("author"), message.get("author"));
    assertEquals(9, message.size());

    List<EncodedBody> both = List.of(one, two);
    for (ServerFrame frame :
        List.of(
            new ServerFrame.Snapshot("r", "e", 2, both, false),
            new ServerFrame.Delta("r", "e", 2, both, true),
            new ServerFrame.History("r", "e", both, true))) {
      JsonNode page = JSON.readTree(FrameCodec.encode(frame)).get("messages");
      assertEquals(JSON.readTree("[" + one.json() + "," + two.json() + "]"), page);
    }
  }

  @Test
  @DisplayName("TXT-07 every code point comes through unchanged, and bytes is the UTF-8 length")
  void everyCodePoint() throws Exception {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
        all.appendCodePoint(c);
      }
    }
    EncodedBody encoded = FrameCodec.encode(body(1, all.toString()));
    assertEquals(all.toString(), JSON.readTree(encoded.json()).get("text").textValue());
    byte[] sent = encoded.json().getBytes(StandardCharsets.UTF_8);
    assertEquals(sent.length, encoded.bytes());
    assertEquals(encoded.json(), new String(sent, StandardCharsets.UTF_8));
  }

  @Test
  @DisplayName("PR-08 half a surrogate pair is sent as U+FFFD, so that every frame is UTF-8")
  void halfAPair() throws Exception {
    EncodedBody encoded = FrameCodec.encode(body(1, "a\ud800b\udc00\ud83d\ude00"));
    assertEquals(
        "a\ufffdb\ufffd\ud83d\ude00", JSON.readTree(encoded.json()).get("text").textValue());
  }

  @Test
  @DisplayName("PR-09 instants are UTC with three decimals, cut and not rounded")
  void instants() {
    assertAt("2026-01-02T03:04:05.000Z", AT);
    assertAt("2026-01-02T03:04:05.999Z", AT.plusNanos(999_999_999));
    assertAt("2026-01-02T03:04:05.100Z", AT.plusMillis(100));
    assertAt("0007-12-31T23:59:59.007Z", Instant.parse("0007-12-31T23:59:59.007999Z"));
    assertAt("1969-12-31T23:59:59.999Z", Instant.EPOCH.minusNanos(1));
    assertAt("+10000-01-01T00:00:00.000Z", Instant.parse("+10000-01-01T00:00:00Z"));
  }

  @Test
  @DisplayName("PR-10 an error always has code, message and temporary; the rest where known")
  void error() throws Exception {
    for (ErrorCode code : ErrorCode.values()) {
      assertEquals(
          "{\"type\":\"error\",\"code\":\""
              + code.wire()
              + "\",\"message\":\"m\",\"temporary\":"
              + code.temporary()
              + "}",
          FrameCodec.encode(ServerFrame.Error.of(code, "m")));
    }
    JsonNode full =
        JSON.readTree(
            FrameCodec.encode(
                new ServerFrame.Error(ErrorCode.BUSY, "m", "r", "k", 50L, "id", 7L, 9L, "text")));
    assertEquals(50, full.get("retryAfterMs").asInt());
    assertEquals(7, full.get("seq").asInt());
    assertEquals(9, full.get("head").asInt());
    assertEquals("text", full.get("field").asText());
    assertTrue(full.get("temporary").asBoolean());
  }

  private static void assertAt(String expected, Instant at) {
    String text = FrameCodec.encode(new ServerFrame.Ack("r", "k", "id", "e", 1, at, false, 1));
    assertTrue(text.contains("\"acceptedAt\":\"" + expected + "\""), text);
  }

  private static MessageBody body(long seq, String text) {
    return new MessageBody(seq, "id-" + seq, "k", new MessageBody.Author("a", "A"), text, AT);
  }
}
