package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DeafSocket;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S1: what happens at the bounds of a node and of a socket. */
@QuarkusTest
@TestProfile(BoundsTest.Small.class)
@QuarkusTestResource(PgResource.class)
class BoundsTest {
  private static final int SOCKETS = 4;

  /** Bounds that a test reaches; the delta limit is the default. */
  public static final class Small implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "postroom.session.max-sockets", String.valueOf(SOCKETS),
          "postroom.session.max-rooms", "2",
          "postroom.session.heartbeat", "2s",
          "postroom.accept.rate", "0");
    }
  }

  @TestHTTPResource("/ws")
  URI uri;

  @Inject MeterRegistry meters;

  private final String room = "case-" + UUID.randomUUID();

  @BeforeEach
  void othersHaveGone() {
    Awaitility.await().until(() -> meters.get("postroom.sockets").gauge().value() == 0);
  }

  @Test
  @DisplayName("S1: one socket too many is closed with 1013 and a delay; a place is given back")
  void socketsOfANode() throws Exception {
    String token = DevTokens.of("ann");
    List<RoomClient> inside = new ArrayList<>();
    for (int i = 0; i < SOCKETS; i++) {
      inside.add(RoomClient.joined(uri, token, room));
    }
    String reason = closeReason(token, 1013);
    assertTrue(reason.matches(".*retryAfterMs=\\d+"), reason);
    assertEquals(
        "ack", inside.get(0).sendAndAwait(room, "k1", "still served").path("type").asText());

    inside.remove(0).close();
    Awaitility.await().until(() -> meters.get("postroom.sockets").gauge().value() == SOCKETS - 1);
    inside.add(RoomClient.joined(uri, token, room));
    inside.forEach(RoomClient::close);
  }

  private String closeReason(String token, int code) throws Exception {
    CompletableFuture<String> closed = new CompletableFuture<>();
    HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .header("Authorization", "Bearer " + token)
        .buildAsync(
            URI.create(uri.toString().replaceFirst("^http", "ws")),
            new WebSocket.Listener() {
              @Override
              public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
                assertEquals(code, status);
                closed.complete(reason);
                return WebSocket.Listener.super.onClose(socket, status, reason);
              }
            })
        .join();
    return closed.get(30, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("S1, PR-15: one room too many is invalid; joining again and leaving are not counted")
  void roomsOfASocket() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room, room + "-2")) {
      ann.join(room + "-3");
      JsonNode error = ann.await("error");
      assertEquals("invalid", error.path("code").asText());
      assertEquals("room", error.path("field").asText());
      assertEquals(room + "-3", error.path("room").asText());

      ann.join(room);
      ann.await("snapshot");
      ann.text(RoomClient.frame("leave", room).toString());
      ann.await("left");
      ann.join(room + "-3");
      assertEquals(room + "-3", ann.await("snapshot").path("room").asText());
    }
  }

  @Test
  @DisplayName("NET-08: without a sign of life the end is 4408; pongs are one")
  void silence() {
    try (RoomClient answersPings = RoomClient.joined(uri, DevTokens.of("ann"), room);
        DeafSocket silent = new DeafSocket(uri, DevTokens.of("silent"))) {
      assertEquals(4408, silent.awaitClose());
      assertEquals("ack", answersPings.sendAndAwait(room, "k1", "here").path("type").asText());
    }
  }

  @Test
  @DisplayName("R1: one message further behind than limits.delta is a snapshot")
  void tooFarBehind() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      String epoch = ann.sendAndAwait(room, "k1", "text 1").path("epoch").asText();
      for (int i = 2; i <= 1_002; i++) {
        ann.send(room, "k" + i, "text " + i);
        if (i % 30 == 0 || i == 1_002) {
          while (ann.await("ack").path("seq").asInt() < i) {}
        }
      }
      ann.join(room, epoch, 1);
      JsonNode snapshot = answer(ann);
      assertEquals("snapshot", snapshot.path("type").asText());
      assertEquals(1_002, snapshot.path("after").asInt());
      ann.join(room, epoch, 2);
      assertEquals("delta", answer(ann).path("type").asText());
    }
  }

  private static JsonNode answer(RoomClient client) {
    JsonNode frame = client.next();
    while (!List.of("snapshot", "delta", "error").contains(frame.path("type").asText())) {
      frame = client.next();
    }
    return frame;
  }
}
