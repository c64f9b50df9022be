package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.DeafSocket;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S1: pongs are answers too, though it is not the session that writes them. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class PongFloodTest {
  private static final int PINGS = 300_000;

  /** More than the buffers of both systems hold; each is 127 bytes. */
  private static final int MOST_PONGS = 100_000;

  private static final String FILLING = "x".repeat(110);

  @TestHTTPResource("/ws")
  URI uri;

  @Test
  @DisplayName("S1: pongs that nobody reads do not pile up; the newest ping is answered")
  void pingsWithoutReading() {
    try (DeafSocket deaf = new DeafSocket(uri, DevTokens.of("deaf"))) {
      for (int i = 1; i <= PINGS; i++) {
        deaf.ping(i + FILLING);
      }
      deaf.text("{\"type\":\"ping\"}");
      assertEquals("welcome", deaf.next().path("type").asText());
      assertEquals("pong", deaf.next().path("type").asText());
      // The last may have its place behind the answer; a further answer is behind it.
      deaf.text("{\"type\":\"ping\"}");
      assertEquals("pong", deaf.next().path("type").asText());
      assertEquals(PINGS + FILLING, deaf.lastPong());
      assertTrue(deaf.pongs() <= MOST_PONGS, deaf.pongs() + " pongs were kept for the reader");
    }
  }

  @Test
  @DisplayName("Each ping is answered to a client that reads")
  void pingsAndReading() {
    try (DeafSocket reader = new DeafSocket(uri, DevTokens.of("ann"))) {
      assertEquals("welcome", reader.next().path("type").asText());
      for (int i = 1; i <= 100; i++) {
        reader.ping("p" + i);
        reader.text("{\"type\":\"ping\"}");
        assertEquals("pong", reader.next().path("type").asText());
        assertEquals(i, reader.pongs());
        assertEquals("p" + i, reader.lastPong());
      }
    }
  }
}
