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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** FAN-03, S1: clients that ask and ask, and do not read the answers. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class DeafWriterTest {
  private static final int MESSAGES = 100;
  private static final int QUESTIONS = 60;
  private static final String TEXT = "x".repeat(10_000);

  /** What docs/operations.md promises: the bound, half as much again, and one frame. */
  private static final long MOST_BYTES = 1_048_576 * 3 / 2 + 262_144 + 16_384;

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
        most.accumulateAndGet(meters.get("postroom.mailbox.bytes").gauge().value(), Math::max);
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
        most.accumulateAndGet(meters.get("postroom.mailbox.bytes").gauge().value(), Math::max);
      }
      assertTrue(most.get() <= MOST_BYTES, most + " bytes waited");
    }
  }

  private String question(int number) {
    return "{\"type\":\"history\",\"room\":\"%s\",\"limit\":100,\"before\":%d}"
        .formatted(room, before(number));
  }

  private static int before(int number) {
    return MESSAGES + 1 - number % 10;
  }
}
