package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.BadFrames;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import dev.postroom.testkit.Seed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** FAN-06: bad frames are answered one by one, up to the close. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class BadFrameAnswersTest {
  private static final int CONNECTIONS = 20;
  private static final int FRAMES = 1_000;

  /** Fewer than close a socket in a row. */
  private static final int IN_A_ROW = 50;

  private static final int CLOSES = 100;

  @TestHTTPResource("/ws")
  URI uri;

  @Test
  @DisplayName("FAN-06, S2: each frame of a connection is answered, neither more nor less")
  void eachIsAnswered() {
    long seed = Seed.pick("eachIsAnswered");
    BadFrames frames = new BadFrames(seed);
    for (int i = 0; i < CONNECTIONS; i++) {
      try (RoomClient mallory = RoomClient.joined(uri, DevTokens.of("mallory-" + i))) {
        int sent = 0;
        int answers = 0;
        while (sent < FRAMES) {
          for (int n = 0; n < IN_A_ROW; n++) {
            mallory.text(sendable(frames));
            sent++;
          }
          while (answers < sent) {
            answers += answer(mallory, seed);
          }
          mallory.text("{\"type\":\"ping\"}");
          sent++;
          answers += answer(mallory, seed);
        }
        assertEquals(sent, answers, "seed " + seed);
        JsonNode more = mallory.poll(0);
        assertEquals(null, more, "seed " + seed + ", connection " + i);
      }
    }
  }

  /** Java's client ends itself over half a surrogate pair. */
  private static String sendable(BadFrames frames) {
    String frame = frames.next();
    return StandardCharsets.UTF_8.newEncoder().canEncode(frame) ? frame : "not a frame";
  }

  /** 1 if the next frame ends an answer, else 0. */
  private static int answer(RoomClient client, long seed) {
    JsonNode frame = client.next();
    return switch (frame.path("type").asText()) {
      case "error", "ack", "pong", "snapshot", "history", "left", "welcome" -> 1;
      case "delta" -> frame.path("more").asBoolean() ? 0 : 1;
      case "message" -> 0;
      default -> throw new AssertionError("seed " + seed + ": " + frame);
    };
  }

  @Test
  @DisplayName("FAN-06, PR-14: the frames up to the close are answered, those behind it are not")
  void upToTheClose() {
    String room = "case-" + UUID.randomUUID();
    try (RoomClient mallory = RoomClient.joined(uri, DevTokens.of("mallory"), room)) {
      for (int n = 1; n < CLOSES; n++) {
        mallory.text("null");
      }
      for (int n = 1; n < CLOSES; n++) {
        assertEquals("bad_frame", mallory.next().path("code").asText());
      }
      assertEquals(
          "ack", mallory.sendAndAwait(room, "k1", "one right frame").path("type").asText());
      for (int n = 0; n < 2 * CLOSES; n++) {
        mallory.text("null");
      }
      int answers = 0;
      for (JsonNode frame = mallory.next(); !isEnd(frame); frame = mallory.next()) {
        answers += frame.path("code").asText().equals("bad_frame") ? 1 : 0;
      }
      assertEquals(CLOSES, answers);
      assertEquals(4400, mallory.awaitClose());
    }
  }

  @Test
  @DisplayName("A8, PR-14: commands that were taken are answered before the close")
  void takenBeforeTheClose() {
    String room = "case-" + UUID.randomUUID();
    try (RoomClient mallory = RoomClient.joined(uri, DevTokens.of("mallory"), room)) {
      for (int n = 0; n < 30; n++) {
        mallory.send(room, "k" + n, "taken");
      }
      for (int n = 0; n < CLOSES; n++) {
        mallory.text("null");
      }
      int acks = 0;
      for (JsonNode frame = mallory.next(); !isEnd(frame); frame = mallory.next()) {
        acks += frame.path("type").asText().equals("ack") ? 1 : 0;
      }
      assertEquals(30, acks);
      assertEquals(4400, mallory.awaitClose());
    }
  }

  private static boolean isEnd(JsonNode frame) {
    return frame.path("type").asText().equals("(closed)");
  }
}
