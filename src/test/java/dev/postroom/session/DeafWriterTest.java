package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DeafSocket;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** FAN-03, S1: clients that ask and ask, and do not read the answers. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class DeafWriterTest {
  private static final int MESSAGES = 100;
  private static final int QUESTIONS = 60;

  /** Their answers are more than buffers on both sides swallow. */
  private static final int COMMANDS = 50_000;

  private static final int PINGS = 200_000;
  private static final String PING = "{\"type\":\"ping\"}";
  private static final String TEXT = "x".repeat(10_000);

  /** What docs/operations.md promises: the bound, half as much again, and one frame. */
  private static final long MOST_BYTES = 1_048_576 * 3 / 2 + 262_144 + 16_384;

  /** The mailbox's frames, and the answers to the window's, none longer than this. */
  private static final long MOST_BYTES_OF_SMALL = (256 + 64) * 512;

  @TestHTTPResource("/ws")
  URI uri;

  @Inject MeterRegistry meters;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName(
      "FAN-03, S1: answers that nobody reads stay within the mailbox's bound; none is lost")
  void questionsWithoutReading() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room);
        DeafSocket deaf = new DeafSocket(uri, DevTokens.of("deaf"))) {
      for (int i = 1; i <= MESSAGES; i++) {
        ann.sendAndAwait(room, "k" + i, TEXT);
      }
      double pauses = meters.counter("postroom.reads.paused").count();
      deaf.text(RoomClient.frame("join", room).toString());
      for (int i = 0; i < QUESTIONS; i++) {
        deaf.text(question(i));
      }
      // Whoever reads gets as many answers meanwhile: there was time for the deaf one's too.
      AtomicReference<Double> most = new AtomicReference<>(0.0);
      for (int i = 0; i < QUESTIONS; i++) {
        ann.text(question(i));
        ann.await("history");
        most.accumulateAndGet(waitingBytes(), Math::max);
      }
      assertTrue(meters.counter("postroom.reads.paused").count() > pauses, "it was not read");
      assertTrue(most.get() <= MOST_BYTES, most + " bytes waited");

      assertEquals("welcome", deaf.next().path("type").asText());
      assertEquals("snapshot", deaf.next().path("type").asText());
      for (int i = 0; i < QUESTIONS; i++) {
        JsonNode history = deaf.next();
        assertEquals("history", history.path("type").asText());
        JsonNode last = history.path("messages").path(history.path("messages").size() - 1);
        assertEquals(before(i) - 1, last.path("seq").asInt(), "in the order of the questions");
        most.accumulateAndGet(waitingBytes(), Math::max);
      }
      assertTrue(most.get() <= MOST_BYTES, most + " bytes waited");
    }
  }

  @Test
  @DisplayName(
      "FAN-05, S1: a flood by somebody who does not read stays within the bound; all is answered")
  void commandsWithoutReading() throws Exception {
    double pauses = meters.counter("postroom.reads.paused").count();
    try (DeafSocket deaf = new DeafSocket(uri, DevTokens.of("deaf"))) {
      deaf.text(join());
      assertEquals("welcome", deaf.next().path("type").asText());
      assertEquals("snapshot", deaf.next().path("type").asText());
      // On a thread of its own: it may have to wait until somebody reads.
      Thread writer =
          new Thread(() -> IntStream.range(0, COMMANDS).forEach(i -> deaf.text(send(i))));
      writer.start();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> meters.counter("postroom.reads.paused").count() > pauses);
      double most = waitingBytes();

      Map<String, String> answers = new HashMap<>();
      List<String> accepted = new ArrayList<>();
      List<String> shown = new ArrayList<>();
      while (answers.size() < COMMANDS || shown.size() < accepted.size()) {
        most = Math.max(most, waitingBytes());
        JsonNode frame = deaf.next();
        String type = frame.path("type").asText();
        String id = frame.path("clientMessageId").asText();
        switch (type) {
          case "ack" -> {
            accepted.add(id);
            assertEquals(null, answers.put(id, type), "answered twice: " + id);
          }
          case "error" -> {
            assertTrue(frame.path("temporary").asBoolean(), frame.toString());
            assertEquals(null, answers.put(id, type), "answered twice: " + id);
          }
          case "message" -> shown.add(id);
          case "delta" ->
              frame.path("messages").forEach(m -> shown.add(m.path("clientMessageId").asText()));
          default -> throw new AssertionError(frame.toString());
        }
      }
      writer.join();
      assertTrue(most <= MOST_BYTES_OF_SMALL, most + " bytes waited");
      assertEquals(accepted, shown, "what was accepted is shown, in order");
      for (int i = 0; i < accepted.size(); i++) {
        assertEquals("k" + i, accepted.get(i), "none is accepted after one that was refused");
      }
      deaf.text(PING);
      assertEquals("pong", deaf.next().path("type").asText());
    }
  }

  @Test
  @DisplayName("S1: as many of the shortest frames as there is room for are all answered, too")
  void pingsWithoutReading() throws Exception {
    double pauses = meters.counter("postroom.reads.paused").count();
    try (DeafSocket deaf = new DeafSocket(uri, DevTokens.of("deaf"))) {
      assertEquals("welcome", deaf.next().path("type").asText());
      Thread writer = new Thread(() -> IntStream.range(0, PINGS).forEach(i -> deaf.text(PING)));
      writer.start();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> meters.counter("postroom.reads.paused").count() > pauses);
      double most = waitingBytes();
      for (int answers = 0; answers < PINGS; answers++) {
        most = Math.max(most, waitingBytes());
        JsonNode frame = deaf.next();
        String answer = frame.path("type").asText() + frame.path("code").asText();
        assertTrue(answer.equals("pong") || answer.equals("errorbusy"), answer);
      }
      writer.join();
      assertTrue(most <= MOST_BYTES_OF_SMALL, most + " bytes waited");
    }
  }

  private double waitingBytes() {
    return meters.get("postroom.mailbox.bytes").gauge().value();
  }

  private String join() {
    return RoomClient.frame("join", room).toString();
  }

  private String send(int number) {
    return "{\"type\":\"send\",\"room\":\"%s\",\"clientMessageId\":\"k%d\",\"text\":\"x\"}"
        .formatted(room, number);
  }

  private String question(int number) {
    return "{\"type\":\"history\",\"room\":\"%s\",\"limit\":100,\"before\":%d}"
        .formatted(room, before(number));
  }

  private static int before(int number) {
    return MESSAGES + 1 - number % 10;
  }
}
