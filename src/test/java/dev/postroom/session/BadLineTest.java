package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FaultApi;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.net.URI;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Every fault in its proportion, as real sockets see it; what is stored is right all the while. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class BadLineTest {
  private static final int A_MOMENT_MS = 100;
  private static final Set<String> TEMPORARY =
      Set.of("busy", "rate_limited", "unavailable", "internal");

  @TestHTTPResource("/ws")
  URI uri;

  private final String room = "case-" + UUID.randomUUID();
  private String token = "";

  @BeforeEach
  void signIn() {
    token = DevTokens.of("ann");
  }

  @AfterEach
  void fineWeather() {
    FaultApi.end();
  }

  private void assertLog(int messages) {
    var log =
        RestAssured.given()
            .header("Authorization", "Bearer " + token)
            .get("/api/rooms/{room}/messages", room)
            .then()
            .statusCode(200)
            .extract()
            .jsonPath();
    assertEquals(messages, log.getInt("head"));
    assertEquals(messages, log.getList("messages").size());
  }

  @Test
  @DisplayName("dropAcks, A2: accepted and never said; the repeat is told so")
  void dropAcks() {
    try (RoomClient ann = RoomClient.joined(uri, token, room)) {
      FaultApi.set("dropAcks", 1);
      ann.send(room, "k1", "Hello");
      ann.await("message");
      FaultApi.end();
      JsonNode repeat = ann.sendAndAwait(room, "k1", "Hello");
      assertTrue(repeat.path("duplicate").asBoolean(), "the first ack came all the same");
      assertLog(1);
    }
  }

  @Test
  @DisplayName("delayAcks: a later command's ack comes first")
  void delayAcks() {
    try (RoomClient ann = RoomClient.joined(uri, token, room)) {
      // This seed's first delay is a long one.
      FaultApi.set(Map.of("seed", 3, "delayAcks", 1, "delayMs", 3_000));
      ann.send(room, "late", "Hello");
      ann.await("message");
      FaultApi.end();
      assertEquals(2, ann.sendAndAwait(room, "prompt", "Hello again").path("seq").asInt());
      JsonNode late = ann.await("ack");
      assertEquals("late", late.path("clientMessageId").asText());
      assertFalse(late.path("duplicate").asBoolean());
    }
  }

  @Test
  @DisplayName("repeatEvents: live events and deltas come twice")
  void repeatEvents() {
    try (RoomClient ann = RoomClient.joined(uri, token, room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      FaultApi.set("repeatEvents", 1);
      String epoch = ann.sendAndAwait(room, "k1", "Hello").path("epoch").asText();
      JsonNode first = bob.next();
      assertEquals("message", first.path("type").asText());
      assertEquals(first, bob.next());
      bob.join(room, epoch, 0);
      JsonNode delta = bob.next();
      assertEquals("delta", delta.path("type").asText());
      assertEquals(delta, bob.next());
      assertLog(1);
    }
  }

  @Test
  @DisplayName("repeatCommands, A1: it arrives twice and is one message")
  void repeatCommands() {
    try (RoomClient ann = RoomClient.joined(uri, token, room)) {
      FaultApi.set("repeatCommands", 1);
      ann.send(room, "k1", "Hello");
      Set<Boolean> duplicates = new HashSet<>();
      for (int i = 0; i < 2; i++) {
        JsonNode ack = ann.await("ack");
        assertEquals(1, ack.path("seq").asInt());
        duplicates.add(ack.path("duplicate").asBoolean());
      }
      assertEquals(Set.of(true, false), duplicates);
      assertLog(1);
    }
  }

  @Test
  @DisplayName(
      "cutSockets, A1: before the command is heard or after it, and one message in the end")
  void cutSockets() {
    FaultApi.set("cutSockets", 0.4);
    int cut = 0;
    for (int i = 1; i <= 12; i++) {
      JsonNode answer = null;
      while (answer == null) {
        try (RoomClient ann = RoomClient.connect(uri, token)) {
          ann.await("welcome");
          answer = tried(ann, "k" + i);
          cut += answer == null ? 1 : 0;
        }
      }
      assertEquals(i, answer.path("seq").asInt());
    }
    assertTrue(cut > 0);
    assertEquals(cut, FaultApi.happened("cutSockets"));
    assertLog(12);
  }

  /**
   * Its ack, or null if the socket ends before. The JDK's client does not always tell of an end
   * that comes right behind a frame: a silent socket counts as cut, and the service's own count
   * says whether it was.
   */
  private @Nullable JsonNode tried(RoomClient client, String id) {
    client.join(room);
    client.send(room, id, "Hello");
    for (int waits = 0; waits < 80; waits++) {
      JsonNode frame = client.poll(A_MOMENT_MS);
      String type = frame == null ? "" : frame.path("type").asText();
      if (type.equals("ack")) {
        return frame;
      }
      if (type.equals("(closed)") || (frame == null && client.isClosed())) {
        assertEquals(1006, client.awaitClose());
        return null;
      }
    }
    return null;
  }

  @Test
  @DisplayName("refuse, N2: commands, joins and history get temporary errors, and order is kept")
  void refuse() {
    try (RoomClient ann = RoomClient.joined(uri, token, room)) {
      FaultApi.set("refuse", 1);
      for (int i = 0; i < 20; i++) {
        JsonNode error = ann.sendAndAwait(room, "k1", "Hello");
        assertTemporary(error);
        assertEquals(room, error.path("room").asText());
      }
      ann.join(room);
      assertTemporary(ann.next());
      ann.text(RoomClient.frame("history", room).put("before", 1).toString());
      assertTemporary(ann.next());
      assertLog(0);
      FaultApi.end();
      assertTemporary(ann.sendAndAwait(room, "k2", "behind the one that was refused"));
      assertEquals(1, ann.sendAndAwait(room, "k1", "Hello").path("seq").asInt());
      assertEquals(2, ann.sendAndAwait(room, "k2", "now").path("seq").asInt());
    }
  }

  private static void assertTemporary(JsonNode error) {
    assertEquals("error", error.path("type").asText());
    assertTrue(error.path("temporary").asBoolean(), error.toString());
    assertTrue(TEMPORARY.contains(error.path("code").asText()), error.toString());
    assertTrue(error.path("retryAfterMs").asLong() > 0, error.toString());
  }

  @Test
  @DisplayName("moveEpochs, R4: everybody gets a snapshot of another epoch, with the same numbers")
  void moveEpochs() {
    try (RoomClient ann = RoomClient.joined(uri, token, room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      String before = ann.sendAndAwait(room, "k1", "Hello").path("epoch").asText();
      FaultApi.set("moveEpochs", 1);
      ann.send(room, "k2", "Hello again");
      JsonNode snapshot = bob.await("snapshot");
      assertNotEquals(before, snapshot.path("epoch").asText());
      assertEquals(1, snapshot.path("messages").path(0).path("seq").asInt());
      FaultApi.end();
      assertEquals(2, ann.sendAndAwait(room, "k2", "Hello again").path("seq").asInt());
      assertLog(2);
    }
  }
}
