package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import dev.postroom.testkit.Seed;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Many members who come back to the same room at once. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class CrowdTest {
  private static final Logger LOG = Logger.getLogger(CrowdTest.class);
  private static final int MEMBERS = 1_000;
  private static final int MESSAGES = 1_500;

  @TestHTTPResource("/ws")
  URI uri;

  @Inject MeterRegistry meters;

  private final String room = "case-" + UUID.randomUUID();

  /** Cursors within the last 900, far more than the ring of newest messages holds. */
  @Test
  @DisplayName("R1: 1,000 members returning with close cursors share their reads")
  void returningMembersShareReads() {
    long seed = Seed.pick("returningMembersShareReads");
    Random random = new Random(seed);
    String token = DevTokens.of("member");
    String epoch = fill(DevTokens.of("writer"));
    List<RoomClient> clients = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      RoomClient client = RoomClient.connect(uri, token);
      client.await("welcome");
      clients.add(client);
    }
    double before = queries();

    List<Integer> cursors = new ArrayList<>();
    for (RoomClient client : clients) {
      int after = MESSAGES - random.nextInt(900);
      cursors.add(after);
      client.join(room, epoch, after);
    }
    for (int i = 0; i < MEMBERS; i++) {
      assertComplete(clients.get(i), cursors.get(i), seed);
    }

    double cost = queries() - before;
    LOG.infof("%d returning members cost %.0f queries", MEMBERS, cost);
    assertTrue(cost <= 20, "queries: " + cost);
    clients.forEach(RoomClient::close);
  }

  private static void assertComplete(RoomClient client, int after, long seed) {
    int last = after;
    boolean more = true;
    while (more) {
      JsonNode delta = client.next();
      assertEquals("delta", delta.path("type").asText(), "seed " + seed);
      for (JsonNode message : delta.path("messages")) {
        assertEquals(++last, message.path("seq").asInt(), "seed " + seed);
      }
      more = delta.path("more").asBoolean();
    }
    assertEquals(MESSAGES, last, "seed " + seed);
  }

  private String fill(String token) {
    try (RoomClient writer = RoomClient.joined(uri, token, room)) {
      JsonNode ack = null;
      for (int i = 1; i <= MESSAGES; i++) {
        writer.send(room, "k" + i, "text " + i);
        if (i % 50 == 0) {
          do {
            ack = writer.await("ack");
          } while (ack.path("seq").asInt() < i);
        }
      }
      return ack.path("epoch").asText();
    }
  }

  private double queries() {
    return meters.counter("postroom.fanout.queries").count();
  }
}
