package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One socket and what it is answered, frame by frame. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class SocketTest {
  @TestHTTPResource("/ws")
  URI uri;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  void welcomeTellsWhoAndTheLimits() {
    try (RoomClient ann = RoomClient.connect(uri, DevTokens.of("ann"))) {
      JsonNode welcome = ann.next();
      assertEquals("welcome", welcome.path("type").asText());
      assertEquals("postroom.v1", welcome.path("protocol").asText());
      assertEquals("ann", welcome.path("participant").path("id").asText());
      assertEquals("Name of ann", welcome.path("participant").path("name").asText());
      assertEquals(16_384, welcome.path("limits").path("textBytes").asInt());
      assertEquals(128, welcome.path("limits").path("idLength").asInt());
      assertEquals(64, welcome.path("limits").path("pendingCommands").asInt());
      assertEquals(50, welcome.path("limits").path("snapshot").asInt());
      assertEquals(200_000, welcome.path("limits").path("delta").asInt());
      assertEquals(25_000, welcome.path("heartbeatMs").asInt());
      assertTrue(welcome.hasNonNull("tokenExpiresAt"));
    }
  }

  @Test
  @DisplayName("A1, A2, F3: ack, own message, and a repeat with the first result")
  void sendAndRepeat() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      JsonNode ack = ann.sendAndAwait(room, "k1", "Hello");
      assertEquals("ack", ack.path("type").asText());
      assertEquals(1, ack.path("seq").asInt());
      assertEquals(1, ack.path("head").asInt());
      assertFalse(ack.path("duplicate").asBoolean());

      JsonNode again = ann.sendAndAwait(room, "k1", "Hello");
      assertTrue(again.path("duplicate").asBoolean());
      for (String field : List.of("messageId", "seq", "epoch", "acceptedAt")) {
        assertEquals(ack.path(field), again.path(field), field);
      }
    }
  }

  @Test
  @DisplayName("F3: all connections of the participant see the message, the sender's own included")
  void everyConnectionSeesIt() {
    String token = DevTokens.of("ann");
    try (RoomClient one = RoomClient.joined(uri, token, room);
        RoomClient two = RoomClient.joined(uri, token, room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      one.send(room, "k1", "Hello");
      for (RoomClient each : List.of(one, two, bob)) {
        JsonNode message = each.await("message");
        assertEquals("Hello", message.path("text").asText());
        assertEquals("k1", message.path("clientMessageId").asText());
        assertEquals("ann", message.path("author").path("id").asText());
      }
    }
  }

  @Test
  @DisplayName("A3, ACC-09: same id with other content is id_conflict, the socket stays")
  void conflict() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      JsonNode ack = ann.sendAndAwait(room, "k1", "yes");
      JsonNode error = ann.sendAndAwait(room, "k1", "no");
      assertEquals("id_conflict", error.path("code").asText());
      assertFalse(error.path("temporary").asBoolean());
      assertEquals(ack.path("messageId"), error.path("messageId"));
      assertEquals(ack.path("seq"), error.path("seq"));
      assertEquals(2, ann.sendAndAwait(room, "k2", "next").path("seq").asInt());
    }
  }

  @Test
  @DisplayName("ACC-07: two people, or two rooms, may use the same id")
  void keysAreNotShared() {
    String other = room + "-2";
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room, other);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      String a = ann.sendAndAwait(room, "1", "a").path("messageId").asText();
      String b = bob.sendAndAwait(room, "1", "b").path("messageId").asText();
      String c = ann.sendAndAwait(other, "1", "c").path("messageId").asText();
      assertNotEquals(a, b);
      assertNotEquals(a, c);
      assertNotEquals(b, c);
    }
  }

  @Test
  @DisplayName("ifHead: accepted only while nobody else wrote")
  void ifHead() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      ann.sendAndAwait(room, "k1", "one");
      ann.text(
          RoomClient.frame("send", room)
              .put("clientMessageId", "k2")
              .put("text", "blind")
              .put("ifHead", 0)
              .toString());
      JsonNode error = ann.await("error");
      assertEquals("stale_head", error.path("code").asText());
      assertEquals(1, error.path("head").asInt());
      assertEquals("k2", error.path("clientMessageId").asText());
    }
  }

  @Test
  void leave() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      ann.text(RoomClient.frame("leave", room).toString());
      assertEquals("requested", ann.await("left").path("reason").asText());
      assertEquals("not_joined", ann.sendAndAwait(room, "k1", "hello").path("code").asText());
      ann.text(RoomClient.frame("leave", room).toString());
      assertEquals("not_joined", ann.await("error").path("code").asText());
    }
  }

  @Test
  @DisplayName("R6: history pages joined together equal the room")
  void history() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      for (int i = 1; i <= 23; i++) {
        ann.sendAndAwait(room, "k" + i, "text " + i);
      }
      long before = 24;
      boolean earlier = true;
      while (earlier) {
        ann.text(
            RoomClient.frame("history", room).put("before", before).put("limit", 5).toString());
        JsonNode page = ann.await("history");
        long expected = before - page.path("messages").size();
        for (JsonNode message : page.path("messages")) {
          assertEquals(expected, message.path("seq").asLong());
          assertEquals("text " + expected++, message.path("text").asText());
        }
        before -= page.path("messages").size();
        earlier = page.path("earlier").asBoolean();
      }
      assertEquals(1, before);
    }
  }

  @Test
  void pingIsAnswered() {
    try (RoomClient ann = RoomClient.connect(uri, DevTokens.of("ann"))) {
      ann.text("{\"type\":\"ping\"}");
      ann.await("pong");
    }
  }

  @Test
  @DisplayName("S2: binary frames and unreadable text get an answer, the socket goes on")
  void badFrames() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      ann.binary(new byte[] {1, 2, 3});
      assertEquals("bad_frame", ann.await("error").path("code").asText());
      ann.text("null");
      assertEquals("bad_frame", ann.await("error").path("code").asText());
      assertEquals(1, ann.sendAndAwait(room, "k1", "hello").path("seq").asInt());
    }
  }

  @Test
  @DisplayName("TXT-03: a text over the limit is too_large and the socket stays")
  void tooLarge() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      JsonNode error = ann.sendAndAwait(room, "k1", "x".repeat(16_385));
      assertEquals("too_large", error.path("code").asText());
      assertEquals("text", error.path("field").asText());
      assertEquals(1, ann.sendAndAwait(room, "k2", "x".repeat(16_384)).path("seq").asInt());
    }
  }

  @Test
  @DisplayName("TXT-04: a frame too big to read ends the socket with 1009")
  void tooBigToRead() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      ann.text("x".repeat(300_000));
      assertEquals(1009, ann.awaitClose());
    }
  }

  @ParameterizedTest
  @DisplayName("S2: a flood of unreadable frames ends with 4400")
  @CsvSource({"100", "150"})
  void abuse(int frames) {
    try (RoomClient ann = RoomClient.connect(uri, DevTokens.of("ann"))) {
      for (int i = 0; i < frames; i++) {
        ann.text("nonsense");
      }
      assertEquals(4400, ann.awaitClose());
    }
  }

  @ParameterizedTest
  @CsvSource({"nonsense", "''"})
  void badTokenEndsWith4401(String token) {
    try (RoomClient ann = RoomClient.connect(uri, token)) {
      assertEquals("unauthorized", ann.await("error").path("code").asText());
      assertEquals(4401, ann.awaitClose());
    }
  }

  @Test
  void missingTokenEndsWith4401() {
    try (RoomClient nobody = RoomClient.connect(uri, null)) {
      assertEquals("unauthorized", nobody.await("error").path("code").asText());
      assertEquals(4401, nobody.awaitClose());
    }
  }

  @Test
  @DisplayName("ACC-08: a renewed token is the same participant; somebody else's is refused")
  void renewal() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      JsonNode ack = ann.sendAndAwait(room, "k1", "hello");
      ann.text(RoomClient.frame("auth", null).put("token", DevTokens.of("ann")).toString());
      assertEquals("ann", ann.await("welcome").path("participant").path("id").asText());
      JsonNode again = ann.sendAndAwait(room, "k1", "hello");
      assertTrue(again.path("duplicate").asBoolean());
      assertEquals(ack.path("messageId"), again.path("messageId"));

      ann.text(RoomClient.frame("auth", null).put("token", DevTokens.of("bob")).toString());
      assertEquals("unauthorized", ann.await("error").path("code").asText());
      assertEquals(2, ann.sendAndAwait(room, "k2", "still ann").path("seq").asInt());
    }
  }

  @Test
  @DisplayName("TXT-07: text comes back byte for byte")
  void unicode() {
    List<String> texts =
        List.of(
            "\u202Eevil\u202C \u200F\u200E",
            "a" + "\u0301".repeat(8_000),
            "👩‍👩‍👧‍👦🏳️‍🌈👍🏽",
            "line\r\nline\n\ttab",
            "six letters: \\u0000",
            "<script>alert(1)</script>&amp;",
            "\uFEFF\uFFFE\uFFFF\u2028\u2029\u0001\u001F\u007F");
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      for (int i = 0; i < texts.size(); i++) {
        assertEquals("ack", ann.sendAndAwait(room, "k" + i, texts.get(i)).path("type").asText());
        assertEquals(texts.get(i), bob.await("message").path("text").asText());
      }
      bob.join(room);
      JsonNode messages = bob.await("snapshot").path("messages");
      for (int i = 0; i < texts.size(); i++) {
        assertEquals(texts.get(i), messages.get(i).path("text").asText());
      }
    }
  }
}
