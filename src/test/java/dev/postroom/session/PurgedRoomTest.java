package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.db.Db;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.vertx.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R1: a cursor older than what is kept. */
@QuarkusTest
@TestProfile(PurgedRoomTest.TenTexts.class)
@QuarkusTestResource(PgResource.class)
class PurgedRoomTest {

  /** Ten texts a room, looked after every second; fewer than that are in memory. */
  public static final class TenTexts implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "postroom.keep.text-count", "10",
          "postroom.keep.every", "1s",
          "postroom.fanout.recent-messages", "5");
    }
  }

  @TestHTTPResource("/ws")
  URI uri;

  @Inject Db db;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName("R1: a cursor older than what is kept gets a snapshot, one within it a delta")
  void olderThanWhatIsKept() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      String epoch = "";
      for (int i = 1; i <= 30; i++) {
        epoch = ann.sendAndAwait(room, "k" + i, "text " + i).path("epoch").asText();
      }
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> keptFrom() == 21);
      try (RoomClient back = RoomClient.connect(uri, DevTokens.of("bob"))) {
        back.await("welcome");
        back.join(room, epoch, 5);
        JsonNode snapshot = back.next();
        assertEquals("snapshot", snapshot.path("type").asText(), snapshot.toString());
        assertEquals(30, snapshot.path("after").asInt());
        assertEquals(21, snapshot.path("messages").get(0).path("seq").asInt());

        back.join(room, epoch, 20);
        JsonNode delta = back.next();
        assertEquals("delta", delta.path("type").asText(), delta.toString());
        assertEquals(10, delta.path("messages").size());
      }
    }
  }

  private long keptFrom() {
    return db.one("SELECT kept_from FROM room WHERE id = $1", Tuple.of(room), row -> row.getLong(0))
        .await()
        .atMost(Duration.ofSeconds(30));
  }
}
