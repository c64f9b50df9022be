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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** F1: readers that read slowly, or not at all. */
@QuarkusTest
@TestProfile(SlowReaderTest.ShortPatience.class)
@QuarkusTestResource(PgResource.class)
class SlowReaderTest {

  /** Patience short enough to see its end; the bound small enough to reach. */
  public static final class ShortPatience extends FullSpeed {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> settings = new HashMap<>(super.getConfigOverrides());
      // The reader that is merely slow takes something far more often, on a busy machine too; the
      // other is waited for once.
      settings.put("postroom.session.progress-timeout", "10s");
      settings.put("postroom.session.mailbox-bytes", "262144");
      return settings;
    }
  }

  /** More than socket buffers on both sides swallow. */
  private static final int MESSAGES = 1_500;

  private static final int OTHERS = 9;
  private static final String TEXT = "x".repeat(10_000);

  @TestHTTPResource("/ws")
  URI uri;

  @Inject MeterRegistry meters;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName("F1, FAN-01: others are not delayed; the slow one catches up from the log, no hole")
  void slowReaderCatchesUp() {
    double overflows = meters.counter("postroom.mailbox.overflows").count();
    double catchUps = meters.counter("postroom.catch.ups").count();
    List<RoomClient> others = new ArrayList<>();
    for (int i = 0; i < OTHERS; i++) {
      others.add(RoomClient.joined(uri, DevTokens.of("bob" + i), room));
    }
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room);
        RoomClient slow = RoomClient.connectSlow(uri, DevTokens.of("slow"))) {
      slow.read(2);
      slow.await("welcome");
      slow.join(room);
      slow.await("snapshot");

      write(ann, MESSAGES);
      for (RoomClient bob : others) {
        assertComplete(bob, () -> {});
        bob.close();
      }
      assertTrue(meters.counter("postroom.mailbox.overflows").count() > overflows, "it was behind");

      int deltas = assertComplete(slow, () -> slow.read(1_000));
      assertTrue(deltas > 0, "the log took over");
      assertTrue(meters.counter("postroom.catch.ups").count() > catchUps, "and is counted");
    }
  }

  /** Reads until everything has come, live or by delta; how many deltas that took. */
  private static int assertComplete(RoomClient client, Runnable beforeEach) {
    List<Long> got = new ArrayList<>();
    int deltas = 0;
    while (got.size() < MESSAGES) {
      beforeEach.run();
      JsonNode frame = client.next();
      switch (frame.path("type").asText()) {
        case "message" -> got.add(frame.path("seq").asLong());
        case "delta" -> {
          deltas++;
          frame.path("messages").forEach(message -> got.add(message.path("seq").asLong()));
        }
        default -> throw new AssertionError(frame.path("type").asText());
      }
    }
    for (int i = 0; i < MESSAGES; i++) {
      assertEquals(i + 1L, got.get(i));
    }
    return deltas;
  }

  @Test
  @DisplayName("F1: a reader that takes nothing is closed with 4408 and resumes by cursor")
  void readerWithoutProgressIsClosed() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room);
        DeafSocket dead = new DeafSocket(uri, DevTokens.of("dead"))) {
      dead.text(RoomClient.frame("join", room).toString());
      String epoch = ann.sendAndAwait(room, "k0", TEXT).path("epoch").asText();
      double before = closed();

      write(ann, MESSAGES);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> closed() > before);

      try (RoomClient back = RoomClient.connect(uri, DevTokens.of("dead"))) {
        back.await("welcome");
        long last = Math.max(dead.readToTheEnd(), 1);
        assertTrue(last < MESSAGES + 1, "it had not everything");
        back.join(room, epoch, last);
        for (long seq = last; seq < MESSAGES + 1; ) {
          JsonNode frame = back.await("delta");
          for (JsonNode message : frame.path("messages")) {
            assertEquals(++seq, message.path("seq").asLong(), "from its own last one on");
          }
        }
      }
    }
  }

  private double closed() {
    return meters.counter("postroom.sockets.closed", "cause", "no_progress").count();
  }

  /** In bursts below the window of pending commands. */
  private void write(RoomClient client, int count) {
    for (int i = 1; i <= count; i++) {
      client.send(room, "k" + i, TEXT);
      if (i % 30 == 0 || i == count) {
        JsonNode ack;
        do {
          ack = client.await("ack");
        } while (ack.path("seq").asInt() < i);
      }
    }
  }
}
