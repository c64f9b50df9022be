package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.postroom.testkit.DeafSocket;
import dev.postroom.testkit.DevTokens;
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
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Sockets that say nothing: the server pings, and whoever does not answer has gone. */
@QuarkusTest
@TestProfile(BoundsTest.Small.class)
@QuarkusTestResource(PgResource.class)
class SilenceTest {
  @TestHTTPResource("/ws")
  URI uri;

  @Inject MeterRegistry meters;

  @Test
  @DisplayName("PR-40: twice the heartbeat without a sign of life ends a socket; a pong is one")
  void silentSocketsEnd() {
    String room = "case-" + UUID.randomUUID();
    double before = silent();
    try (RoomClient quiet = RoomClient.joined(uri, DevTokens.of("quiet"), room);
        DeafSocket gone = new DeafSocket(uri, DevTokens.of("gone"))) {
      // Its client answers pings and sends nothing else. It came first, so it would end first.
      gone.text(RoomClient.frame("join", room).toString());
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> silent() > before);
      assertEquals(before + 1, silent());
      assertFalse(quiet.isClosed());
      assertEquals("ack", quiet.sendAndAwait(room, "k", "still here").path("type").asText());
    }
  }

  private double silent() {
    return meters.counter("postroom.sockets.closed", "cause", "silent").count();
  }
}
