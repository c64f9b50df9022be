package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clients that send more, or worse, than they should. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class FloodTest {

  @TestHTTPResource("/ws")
  URI uri;

  private final String room = "case-" + UUID.randomUUID();

  /**
   * The client writes everything before it looks at a single answer. Each frame is answered, by an
   * ack or by a refusal; the accepted ones are a run of first sends in order; memory holds a window
   * and a mailbox, not 100,000 frames.
   */
  @Test
  @DisplayName(
      "FAN-05, S1, N2: 100,000 sends at once: each is answered, in order, memory is bounded")
  void hundredThousandSendsAtOnce() {
    int count = 100_000;
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      for (int i = 0; i < count; i++) {
        ann.send(room, "k" + i, "text " + i);
      }
      int answers = 0;
      List<Integer> accepted = new ArrayList<>();
      while (answers < count) {
        JsonNode frame = ann.next();
        String type = frame.path("type").asText();
        if (type.equals("ack")) {
          answers++;
          accepted.add(Integer.parseInt(frame.path("clientMessageId").asText().substring(1)));
        } else if (type.equals("error")) {
          answers++;
          assertTrue(frame.path("temporary").asBoolean(), frame.toString());
        }
      }
      assertTrue(!accepted.isEmpty());
      for (int i = 0; i < accepted.size(); i++) {
        assertEquals(i, accepted.get(i), "none is accepted after one that was refused");
      }
      // The neighbour is served, and the first refused command can be repeated.
      JsonNode repeated = ann.sendAndAwait(room, "k" + accepted.size(), "text again");
      assertEquals("ack", repeated.path("type").asText());
      assertEquals("ack", bob.sendAndAwait(room, "b1", "hello").path("type").asText());
    }
  }

  @Test
  @DisplayName("FAN-06, S2: 100,000 bad frames harm neither the process nor neighbours")
  void badFrames() {
    long seed = Seed.pick("badFrames");
    BadFrames frames = new BadFrames(seed);
    String token = DevTokens.of("mallory");
    try (RoomClient neighbour = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      RoomClient mallory = RoomClient.connect(uri, token);
      for (int i = 0; i < 100_000; i++) {
        if (mallory.isClosed()) {
          mallory.close();
          mallory = RoomClient.connect(uri, token);
        }
        mallory.text(frames.next());
        if (i % 5_000 == 0) {
          JsonNode ack = neighbour.sendAndAwait(room, "k" + i, "hello");
          assertEquals("ack", ack.path("type").asText(), "seed " + seed + ": " + ack);
        }
      }
      mallory.close();
      assertEquals("ack", neighbour.sendAndAwait(room, "end", "hello").path("type").asText());
    }
  }
}
