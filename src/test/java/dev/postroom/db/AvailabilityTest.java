package dev.postroom.db;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import dev.postroom.testkit.TestPostgres;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the probe makes of connections that end, are cut, or answer late. */
class AvailabilityTest {

  @Test
  @DisplayName(
      "S3, D12: the probe's own connection is cut again and again: nobody is told \"away\"")
  void ownConnectionCut() throws Exception {
    EmbeddedPg.Database rooms = EmbeddedPg.freshDatabase();
    AtomicInteger away = new AtomicInteger();
    try (TestDb database = TestDb.over(rooms);
        Connection outside = connection(rooms)) {
      Availability availability = database.availability();
      availability.whileAway(away::incrementAndGet);
      availability.suspect();
      await(availability::isPresent);
      for (int round = 0; round < 20; round++) {
        int before = backend(outside);
        cut(outside);
        await(
            () -> {
              availability.suspect();
              int now = backend(outside);
              return now != 0 && now != before;
            });
        await(availability::isPresent);
      }
      assertEquals(0, away.get(), "times told away");
    }
  }

  @Test
  @DisplayName("S3, C4: a database that stands still and goes on costs the pool no connection")
  void answersLate() {
    try (TestPostgres postgres = TestPostgres.started()) {
      EmbeddedPg.Database rooms = postgres.database("rooms");
      Flyway.configure()
          .dataSource(rooms.jdbcUrl(), EmbeddedPg.USER, EmbeddedPg.PASSWORD)
          .load()
          .migrate();
      // Two: were one lost each time, nothing would be left after the second.
      try (TestDb database = new TestDb(rooms.connectOptions(), 2)) {
        Availability availability = database.availability();
        availability.suspect();
        for (int round = 0; round < 2; round++) {
          await(availability::isPresent);
          postgres.pause();
          try {
            await(availability::isAway);
          } finally {
            postgres.resume();
          }
        }
        await(availability::isPresent);
        assertEquals(
            1,
            database
                .db()
                .one("SELECT 1", Tuple.tuple(), row -> row.getInteger(0))
                .await()
                .atMost(Duration.ofSeconds(20)));
      }
    }
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
  }

  private static Connection connection(EmbeddedPg.Database database) throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), EmbeddedPg.USER, EmbeddedPg.PASSWORD);
  }

  /** The process of the newest connection of the pool, or 0. */
  private static int backend(Connection outside) throws SQLException {
    try (Statement statement = outside.createStatement();
        ResultSet found =
            statement.executeQuery(
                """
                SELECT pid FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'postroom'
                ORDER BY backend_start DESC LIMIT 1
                """)) {
      return found.next() ? found.getInt(1) : 0;
    }
  }

  private static void cut(Connection outside) throws SQLException {
    try (Statement statement = outside.createStatement()) {
      statement.execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'postroom'
          """);
    }
  }
}
