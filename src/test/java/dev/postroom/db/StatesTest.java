package dev.postroom.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.ErrorCode;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.LogTrap;
import dev.postroom.testkit.TestDb;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The states of a real server that operations.md lists, and what is made of them. Those that need
 * two sessions are in {@code CollisionTest} and {@link DbTest}, 25006 also in {@code ReadOnlyTest},
 * a connection that ends around COMMIT in {@code UnknownOutcomeTest}.
 */
class StatesTest {
  private TestDb testDb;
  private Db db;

  @BeforeEach
  void open() {
    testDb = TestDb.over(EmbeddedPg.freshDatabase());
    db = testDb.db();
  }

  @AfterEach
  void close() {
    testDb.close();
  }

  @ParameterizedTest
  @DisplayName("S2: what the server says, what a client is told, whether the outcome is known")
  @CsvSource(
      delimiter = '|',
      value = {
        "57014 | BUSY        | false | SET statement_timeout = '20ms'; SELECT pg_sleep(4)",
        "25006 | BUSY        | false | SET transaction_read_only = on; DELETE FROM outbox",
        "22021 | INVALID     | false | SELECT convert_from('\\xff', 'UTF8')",
        "22P05 | INVALID     | false | SELECT convert('\\xe282ac', 'UTF8', 'LATIN1')",
        "57P01 | UNAVAILABLE | true  | SELECT pg_terminate_backend(pg_backend_pid())",
        // What takes another server, or a stronger isolation than ours: the server's own words.
        "40001 | BUSY        | false | DO $$BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END$$",
        "57P03 | UNAVAILABLE | true  | DO $$BEGIN RAISE EXCEPTION USING ERRCODE = '57P03'; END$$",
        "53100 | UNAVAILABLE | false | DO $$BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END$$",
        "08006 | UNAVAILABLE | true  | DO $$BEGIN RAISE EXCEPTION USING ERRCODE = '08006'; END$$",
      })
  void states(String state, ErrorCode code, boolean unknown, String sql) {
    Throwable failure = failure(sql);
    // Of a session that ends the driver tells the end, and not always the last word.
    if (!"57P01".equals(state)) {
      assertEquals(state, Faults.sqlState(failure), failure.toString());
    }
    assertEquals(code, Faults.code(failure));
    assertEquals(unknown, Faults.isOutcomeUnknown(failure));
    assertEquals(0, alarms());
  }

  @Test
  @DisplayName(
      "53100: the operator is told of the full disk, once, and clients that it is not away")
  void diskFull() {
    try (LogTrap log = LogTrap.open()) {
      String full = "DO $$BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END$$";
      Throwable failure = failure(full);
      failure(full);
      List<String> said = log.warnings(Alarms.class);
      assertEquals(1, said.size(), said.toString());
      for (String part : List.of("53100", "no space", "Free space")) {
        assertTrue(said.get(0).contains(part), said.toString());
      }
      assertFalse(Faults.unavailable(failure).contains("away"));
      assertTrue(Faults.unavailable(new DatabaseAway(false)).contains("away"));
    }
  }

  @Test
  @DisplayName("25P02: going on with a failed transaction is a mistake of ours, and counted")
  void failedTransaction() {
    Future<Object> goneOn =
        db.withConnection(
            Db.DEADLINE,
            connection ->
                connection
                    .query("BEGIN")
                    .execute()
                    .compose(begun -> connection.query("SELECT 1 / 0").execute())
                    .recover(failed -> connection.query("SELECT 1").execute())
                    .eventually(() -> connection.query("ROLLBACK").execute())
                    .mapEmpty());
    Throwable failure = cause(goneOn);
    assertEquals("25P02", Faults.sqlState(failure));
    assertEquals(ErrorCode.INTERNAL, Faults.code(failure));
    assertFalse(Faults.isOutcomeUnknown(failure));
    assertEquals(1, alarms());
  }

  @Test
  @DisplayName("25P02: what follows a failed statement of a transaction of ours is no alarm")
  void pipelined() {
    Db.Statement good = new Db.Statement("SELECT 1", Tuple.tuple());
    Db.Statement bad = new Db.Statement("SELECT 1 / 0", Tuple.tuple());
    assertEquals("22012", Faults.sqlState(cause(db.transaction(bad, good, good))));
    assertEquals(0, alarms());
  }

  private double alarms() {
    return testDb.meters().counter("postroom.database.aborted").count();
  }

  private Throwable failure(String sql) {
    return cause(
        db.withConnection(Db.DEADLINE, connection -> connection.query(sql).execute().mapEmpty()));
  }

  private static Throwable cause(Future<?> future) {
    return assertThrows(
            CompletionException.class,
            () -> future.toCompletionStage().toCompletableFuture().join())
        .getCause();
  }
}
