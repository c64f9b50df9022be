package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.db.Db;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R4: the epoch changes while sockets are open. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class NewEpochTest {
  @TestHTTPResource("/ws")
  URI uri;

  @Inject Db db;
  @Inject MeterRegistry meters;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName("R4, A2: everybody gets a snapshot unasked; sends go on; a repeat keeps its epoch")
  void everybodyStartsAfresh() throws IOException {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      JsonNode first = ann.sendAndAwait(room, "k1", "before");
      bob.await("message");
      double resets = meters.counter("postroom.fanout.resets").count();
      double catchUps = meters.counter("postroom.catch.ups").count();
      double overflows = meters.counter("postroom.mailbox.overflows").count();

      db.run(documentedStatement(), Tuple.tuple()).await().atMost(Duration.ofSeconds(30));
      ann.send(room, "k2", "after");

      String epoch = snapshotAndAck(ann);
      assertNotEquals(first.path("epoch").asText(), epoch);
      assertEquals(epoch, bob.await("snapshot").path("epoch").asText());
      assertTrue(meters.counter("postroom.fanout.resets").count() > resets);
      assertEquals(catchUps + 2, meters.counter("postroom.catch.ups").count());
      assertEquals(overflows, meters.counter("postroom.mailbox.overflows").count());

      JsonNode again = ann.sendAndAwait(room, "k2", "after");
      assertEquals(epoch, again.path("epoch").asText());
      assertTrue(again.path("duplicate").asBoolean(), "the one that was under way was accepted");
      assertEquals(2, again.path("seq").asInt());
      JsonNode repeat = ann.sendAndAwait(room, "k1", "before");
      assertTrue(repeat.path("duplicate").asBoolean());
      assertEquals(first.path("epoch"), repeat.path("epoch"));
      assertEquals(first.path("messageId"), repeat.path("messageId"));

      JsonNode third = ann.sendAndAwait(room, "k3", "live again");
      assertFalse(third.path("duplicate").asBoolean());
      JsonNode live = bob.await("message");
      while (live.path("seq").asInt() < 3) {
        live = bob.await("message");
      }
      assertEquals(epoch, live.path("epoch").asText());
      assertEquals("live again", live.path("text").asText());
    }
  }

  /** In whichever order they come. */
  private static String snapshotAndAck(RoomClient client) {
    JsonNode snapshot = null;
    boolean acked = false;
    while (snapshot == null || !acked) {
      JsonNode frame = client.next();
      snapshot = frame.path("type").asText().equals("snapshot") ? frame : snapshot;
      acked |= frame.path("type").asText().equals("ack");
    }
    return snapshot.path("epoch").asText();
  }

  private static String documentedStatement() throws IOException {
    String document = Files.readString(Path.of("docs/operations.md"));
    int from = document.indexOf("INSERT INTO lineage");
    return document.substring(from, document.indexOf(';', from));
  }
}
