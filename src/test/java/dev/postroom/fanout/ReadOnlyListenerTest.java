package dev.postroom.fanout;

import dev.postroom.db.Availability;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestPostgres;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S3, 25006: after a fail-over hints come from the new primary, so it is listened to anew. */
class ReadOnlyListenerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The session that listens is the one that goes on to say its node's name. */
  private static final String LISTENER =
      "SELECT coalesce(max(pid), 0) FROM pg_stat_activity WHERE application_name = 'postroom'"
          + " AND query LIKE '%pg_notify%' AND query_start > backend_start + interval '1.5 s'";

  @Test
  @DisplayName("S3: the listener of before is given up when the server has been read-only")
  void listensAnew() {
    try (TestPostgres postgres = TestPostgres.started()) {
      EmbeddedPg.Database rooms = postgres.database("rooms");
      Flyway.configure()
          .dataSource(rooms.jdbcUrl(), EmbeddedPg.USER, EmbeddedPg.PASSWORD)
          .load()
          .migrate();
      try (FanoutNode node = new FanoutNode(rooms)) {
        Availability availability = node.testDb.availability();
        availability.suspect();
        Awaitility.await().atMost(PATIENCE).until(() -> rooms.number(LISTENER) > 0);
        long before = rooms.number(LISTENER);
        postgres.readOnly(true);
        Awaitility.await().atMost(PATIENCE).until(availability::isReadOnly);
        postgres.readOnly(false);
        Awaitility.await()
            .atMost(PATIENCE)
            .until(
                () ->
                    rooms.number("SELECT count(*) FROM pg_stat_activity WHERE pid = " + before)
                        == 0);
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> rooms.number(LISTENER) > 0 && node.feed.hearing());
      }
    }
  }
}
