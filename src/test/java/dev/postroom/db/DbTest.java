package dev.postroom.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.ErrorCode;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DbTest {
  private static final String SLEEPERS =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND pid <> pg_backend_pid() AND query LIKE '%pg_sleep%'";

  private EmbeddedPg.Database database;
  private TestDb testDb;
  private Db db;

  @BeforeEach
  void open() {
    database = EmbeddedPg.freshDatabase();
    testDb = TestDb.over(database);
    db = testDb.db();
  }

  @AfterEach
  void close() {
    testDb.close();
  }

  @Test
  void sessionsAreSetUp() {
    for (List<String> setting :
        List.of(
            List.of("lock_timeout", "2s"),
            List.of("statement_timeout", "5s"),
            List.of("idle_in_transaction_session_timeout", "30s"),
            List.of("application_name", "postroom"))) {
      assertEquals(
          setting.get(1),
          db.one("SELECT current_setting($1)", Tuple.of(setting.get(0)), row -> row.getString(0))
              .await()
              .atMost(Duration.ofSeconds(20)));
    }
  }

  @Test
  void aFailedStatementRollsAllBack() {
    Throwable failure =
        assertThrows(
                CompletionException.class,
                () ->
                    join(
                        db.transaction(
                            new Db.Statement(
                                "INSERT INTO development_issuer VALUES (true, $1)", Tuple.of("x")),
                            new Db.Statement(
                                "INSERT INTO development_issuer VALUES (true, $1)", Tuple.of("x")),
                            new Db.Statement("SELECT 1", Tuple.tuple()))))
            .getCause();
    assertEquals("23505", Faults.sqlState(failure));
    assertEquals(0, database.number("SELECT count(*) FROM development_issuer"));
  }

  @Test
  @DisplayName("a lock that is held is busy, in about the lock_timeout")
  void heldLock() throws SQLException {
    database.execute("INSERT INTO development_issuer VALUES (true, 'x')");
    try (Connection holder = database.connect()) {
      holder.setAutoCommit(false);
      holder.createStatement().execute("DELETE FROM development_issuer");
      Throwable failure =
          assertThrows(
                  CompletionException.class,
                  () ->
                      join(
                          db.transaction(
                              new Db.Statement(
                                  "SELECT * FROM development_issuer FOR UPDATE", Tuple.tuple()))))
              .getCause();
      assertEquals("55P03", Faults.sqlState(failure));
      assertEquals(ErrorCode.BUSY, Faults.code(failure));
    }
  }

  @Test
  @DisplayName("a passed deadline keeps the connection out of the pool until it is quiet")
  void passedDeadline() {
    // Two connections, of which the probe of the availability keeps one.
    try (TestDb one = new TestDb(database.connectOptions(), 2)) {
      one.db().run("SELECT 1", Tuple.tuple()).await().atMost(Duration.ofSeconds(20));
      Future<Object> slow =
          one.db()
              .withConnection(
                  Duration.ofMillis(100),
                  connection -> connection.query("SELECT pg_sleep(1)").execute().mapEmpty());
      Throwable failure = assertThrows(CompletionException.class, () -> join(slow)).getCause();
      assertTrue(Faults.isOutcomeUnknown(failure));
      assertEquals(
          1,
          one.db()
              .one("SELECT 1", Tuple.tuple(), row -> row.getInteger(0))
              .await()
              .atMost(Duration.ofSeconds(20)));
    }
  }

  @Test
  @DisplayName("S3: away, then unavailable at once, then back by itself")
  void awayAndBack() {
    EmbeddedPg.Database neighbour = new EmbeddedPg.Database(database.port(), "postgres");
    neighbour.execute("ALTER DATABASE " + database.name() + " ALLOW_CONNECTIONS false");
    kill();
    Awaitility.await().until(this::unavailable);
    Awaitility.await().until(testDb.availability()::isAway);
    neighbour.execute("ALTER DATABASE " + database.name() + " ALLOW_CONNECTIONS true");
    Awaitility.await().until(() -> !testDb.availability().isAway());
    assertEquals(
        1,
        db.one("SELECT 1", Tuple.tuple(), row -> row.getInteger(0))
            .await()
            .atMost(Duration.ofSeconds(20)));
  }

  @Test
  @DisplayName("S3, A8: a call under way when the database goes away ends then, outcome unknown")
  void awayUnderWay() {
    EmbeddedPg.Database neighbour = new EmbeddedPg.Database(database.port(), "postgres");
    Future<Object> slow =
        db.withConnection(
            Duration.ofMinutes(1),
            connection ->
                connection
                    .query("SET statement_timeout = '60s'; SELECT pg_sleep(50)")
                    .execute()
                    .mapEmpty());
    Awaitility.await().until(() -> database.number(SLEEPERS) == 1);
    neighbour.execute("ALTER DATABASE " + database.name() + " ALLOW_CONNECTIONS false");
    neighbour.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query NOT LIKE '%pg_sleep%'"
            + " AND datname = '"
            + database.name()
            + "'");
    testDb.availability().suspect();
    Throwable failure = assertThrows(CompletionException.class, () -> join(slow)).getCause();
    neighbour.execute("ALTER DATABASE " + database.name() + " ALLOW_CONNECTIONS true");
    assertEquals(DatabaseAway.class, failure.getClass());
    assertTrue(Faults.isOutcomeUnknown(failure));
    assertEquals(ErrorCode.UNAVAILABLE, Faults.code(failure));
    kill();
  }

  @Test
  @DisplayName("R4: another cluster or timeline is noticed before a connection is used")
  void anotherHistory() {
    assertEquals(1, lineages());
    database.execute("UPDATE lineage SET timeline = 'FFFFFFFF'");
    kill();
    Awaitility.await().until(() -> lineages() == 2);
    assertEquals(2, database.number("SELECT count(DISTINCT mark) FROM lineage"));
  }

  private int lineages() {
    return db.one("SELECT count(*) FROM lineage", Tuple.tuple(), row -> row.getInteger(0))
        .onFailure()
        .recoverWithItem(-1)
        .await()
        .atMost(Duration.ofSeconds(20));
  }

  private boolean unavailable() {
    try {
      db.one("SELECT 1", Tuple.tuple(), row -> row.getInteger(0))
          .await()
          .atMost(Duration.ofSeconds(20));
      return false;
    } catch (RuntimeException failure) {
      return Faults.code(failure) == ErrorCode.UNAVAILABLE;
    }
  }

  private void kill() {
    new EmbeddedPg.Database(database.port(), "postgres")
        .execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"
                + database.name()
                + "'");
  }

  private static <T> T join(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().join();
  }
}
