package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One thing that goes wrong once, for one participant. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class DrillingTest {
  private static final int A_MOMENT_MS = 200;

  @TestHTTPResource("/ws")
  URI uri;

  private final String room = "case-" + UUID.randomUUID();
  private RoomClient ann;
  private RoomClient bob;

  @BeforeEach
  void join() {
    ann = RoomClient.joined(uri, DevTokens.of("ann"), room);
    bob = RoomClient.joined(uri, DevTokens.of("bob"), room);
  }

  @AfterEach
  void leave() {
    ann.close();
    bob.close();
    FaultApi.end();
  }

  @Test
  @DisplayName("lose_ack: the next one of hers, nobody else's")
  void loseAck() {
    assertEquals(1, FaultApi.drill("lose_ack", "ann"));
    assertEquals(1, bob.sendAndAwait(room, "k1", "Hello").path("seq").asInt());
    ann.send(room, "k1", "Hello, Bob");
    ann.await("message");
    ann.await("message");
    JsonNode repeat = ann.sendAndAwait(room, "k1", "Hello, Bob");
    assertEquals(2, repeat.path("seq").asInt());
    assertTrue(repeat.path("duplicate").asBoolean());
    assertFalse(ann.sendAndAwait(room, "k2", "And").path("duplicate").asBoolean());
  }

  @Test
  @DisplayName("send_twice: one command, two acks, one message")
  void sendTwice() {
    FaultApi.drill("send_twice", "ann");
    ann.send(room, "k1", "Hello");
    assertEquals(1, ann.await("ack").path("seq").asInt());
    assertEquals(1, ann.await("ack").path("seq").asInt());
    assertEquals(2, ann.sendAndAwait(room, "k2", "Next").path("seq").asInt());
  }

  @Test
  @DisplayName("refuse: the next command is busy, and the next time it is not")
  void refuse() {
    FaultApi.drill("refuse", "ann");
    assertEquals("busy", ann.sendAndAwait(room, "k1", "Hello").path("code").asText());
    assertEquals(1, ann.sendAndAwait(room, "k1", "Hello").path("seq").asInt());
  }

  @Test
  @DisplayName("cut: hers are gone without a word, others' are not")
  void cut() {
    assertEquals(1, FaultApi.drill("cut", "ann"));
    assertEquals(1006, ann.awaitClose());
    assertEquals(1, bob.sendAndAwait(room, "k1", "Still there").path("seq").asInt());
    assertEquals(0, FaultApi.drill("cut", "nobody"));
  }

  @Test
  @DisplayName("freeze: nothing in either direction, on a new socket neither, and then all of it")
  void freeze() {
    FaultApi.drill("freeze", "ann", Map.of("ms", 30_000));
    ann.send(room, "a1", "From the ice");
    assertEquals(1, bob.sendAndAwait(room, "b1", "Are you there?").path("seq").asInt());
    try (RoomClient again = RoomClient.connect(uri, DevTokens.of("ann"))) {
      assertNull(again.poll(A_MOMENT_MS));
      assertNull(ann.poll(A_MOMENT_MS));
      FaultApi.end();
      assertEquals("welcome", again.next().path("type").asText());
      assertEquals(1, ann.await("message").path("seq").asInt());
      assertEquals(2, ann.await("ack").path("seq").asInt());
    }
  }

  @Test
  @DisplayName("freeze: it ends by itself")
  void thaw() {
    FaultApi.drill("freeze", "ann", Map.of("ms", 50));
    assertEquals(1, ann.sendAndAwait(room, "a1", "Hello").path("seq").asInt());
  }

  @Test
  @DisplayName("repeat_delta: what came last comes again, to nobody else")
  void repeatDelta() {
    for (int i = 1; i <= 7; i++) {
      bob.sendAndAwait(room, "k" + i, "text " + i);
    }
    for (int i = 1; i <= 7; i++) {
      ann.await("message");
    }
    FaultApi.drill("repeat_delta", "ann", Map.of("room", room));
    JsonNode delta = ann.next();
    assertEquals("delta", delta.path("type").asText());
    assertEquals(7, delta.path("after").asInt());
    assertEquals(5, delta.path("messages").size());
    assertEquals("text 7", delta.path("messages").path(4).path("text").asText());
    bob.text("{\"type\":\"ping\"}");
    bob.upTo("pong").forEach(frame -> assertFalse(frame.path("type").asText().equals("delta")));
  }

  @Test
  @DisplayName("new_epoch, R4: everybody gets a snapshot at once, though nobody sends")
  void newEpoch() {
    String before = ann.sendAndAwait(room, "k1", "Hello").path("epoch").asText();
    FaultApi.drill("new_epoch", "");
    for (RoomClient client : new RoomClient[] {ann, bob}) {
      JsonNode snapshot = client.await("snapshot");
      assertNotEquals(before, snapshot.path("epoch").asText());
      assertEquals("Hello", snapshot.path("messages").path(0).path("text").asText());
    }
    JsonNode repeat = ann.sendAndAwait(room, "k1", "Hello");
    assertEquals(before, repeat.path("epoch").asText(), "H5, A2: a message keeps its epoch");
  }
}
