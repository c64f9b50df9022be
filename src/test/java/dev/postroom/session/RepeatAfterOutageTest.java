package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.CommitCutter;
import dev.postroom.testkit.CommitCutter.Cut;
import dev.postroom.testkit.CutterResource;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A8, its second half: the outcome cannot be found out, so the client is asked to repeat. */
@QuarkusTest
@TestProfile(CutterResource.InBetween.class)
class RepeatAfterOutageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  CommitCutter cutter;

  @TestHTTPResource("/ws")
  URI uri;

  private final String room = "case-" + UUID.randomUUID();

  @AfterEach
  void back() {
    cutter.away(false);
  }

  @Test
  @DisplayName("A8, S3: committed, the answer lost, the database away: unavailable; then duplicate")
  void committed() {
    repeatIs(Cut.BEFORE_ANSWER, true);
  }

  @Test
  @DisplayName("A8, S3: never committed, the database away: unavailable; then a first")
  void notCommitted() {
    repeatIs(Cut.BEFORE_COMMIT, false);
  }

  private void repeatIs(Cut cut, boolean duplicate) {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      assertEquals(1, ann.sendAndAwait(room, "k1", "before").path("seq").asInt());
      cutter.armLast(cut);
      JsonNode error = ann.sendAndAwait(room, "k2", "text");
      assertEquals("unavailable", error.path("code").asText(), error.toString());
      assertTrue(error.path("temporary").asBoolean());
      assertTrue(error.path("retryAfterMs").asLong() > 0, error.toString());

      cutter.away(false);
      JsonNode ack =
          Awaitility.await()
              .atMost(PATIENCE)
              .until(() -> ann.sendAndAwait(room, "k2", "text"), RepeatAfterOutageTest::isAck);
      assertEquals(duplicate, ack.path("duplicate").asBoolean(), ack.toString());
      assertEquals(2, ack.path("seq").asInt());
      assertEquals(3, ann.sendAndAwait(room, "k3", "after").path("seq").asInt());
      try (RoomClient bob = RoomClient.connect(uri, DevTokens.of("bob"))) {
        bob.await("welcome");
        bob.join(room);
        JsonNode messages = bob.await("snapshot").path("messages");
        assertEquals(3, messages.size(), messages.toString());
        assertEquals(ack.path("messageId"), messages.get(1).path("messageId"));
        assertEquals("text", messages.get(1).path("text").asText());
      }
    }
  }

  private static boolean isAck(JsonNode answer) {
    if (!answer.path("type").asText().equals("ack")) {
      assertTrue(answer.path("temporary").asBoolean(), answer.toString());
      return false;
    }
    return true;
  }
}
