package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.db.Db;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.vertx.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** FAN-07: another node writes, and its hint does not arrive. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class UnheardTest {

  /** What a node that nobody hears leaves in the tables. */
  private static final String WRITE =
      """
      WITH numbered AS (
        UPDATE room SET head = head + 1 WHERE id = $1 AND closed_at IS NULL RETURNING no, head),
      written AS (
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT no, head, gen_random_uuid(), 'far', 'w' || head, 'Far', (SELECT max(no) FROM lineage),
               1, sha256('x'), 'unheard ' || head, now()
          FROM numbered
        RETURNING room_no, seq)
      INSERT INTO outbox (room_no, first_seq, last_seq) SELECT room_no, seq, seq FROM written
      """;

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final String KILL_LISTENERS =
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')
      """;

  @TestHTTPResource("/ws")
  URI uri;

  @Inject Db db;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName("FAN-07: heads are looked up without any hint; one hint less is no message less")
  void lostHints() {
    try (RoomClient reader = RoomClient.joined(uri, DevTokens.of("reader"), room)) {
      for (int i = 1; i <= 3; i++) {
        assertEquals(1, db.run(WRITE, Tuple.of(room)).await().atMost(LIMIT));
        assertEquals("unheard " + i, reader.await("message").path("text").asText());
      }
    }
  }

  @Test
  @DisplayName("FAN-07, PG-03: the listening session is killed again and again; nothing is missing")
  void killedListener() {
    try (RoomClient reader = RoomClient.joined(uri, DevTokens.of("reader"), room)) {
      long killed = 0;
      for (int i = 1; i <= 10; i++) {
        killed += kill();
        // Its connection may be one of those killed.
        db.run(WRITE, Tuple.of(room)).onFailure().retry().atMost(5).await().atMost(LIMIT);
      }
      assertTrue(killed > 0, "there was somebody to kill");
      for (int i = 1; i <= 10; i++) {
        assertEquals(i, reader.await("message").path("seq").asInt());
      }
      assertEquals("ack", reader.sendAndAwait(room, "k1", "served").path("type").asText());
    }
  }

  private long kill() {
    return db.one(KILL_LISTENERS, Tuple.tuple(), row -> row.getLong(0))
        .onFailure()
        .retry()
        .atMost(5)
        .await()
        .atMost(LIMIT);
  }
}
