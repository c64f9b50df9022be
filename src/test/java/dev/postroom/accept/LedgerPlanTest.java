package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.db.Db;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the planner makes of the two statements (ADR 0002): message and room are reached through an
 * index, row by row, whatever it believes about their sizes. {@code -Dpostroom.plan.rows} adds a
 * size, {@code -Dpostroom.plan.print} shows the plans.
 */
class LedgerPlanTest {
  private Accepting accepting;

  @BeforeEach
  void open() {
    accepting = new Accepting();
  }

  @AfterEach
  void close() {
    accepting.close();
  }

  @ParameterizedTest
  @DisplayName("no plan reads all of message or room, or joins but by index")
  @CsvSource({"0, false", "0, true", "10000, false", "10000, true"})
  void indexed(int rows, boolean analyzed) throws SQLException {
    int size = rows == 0 ? 0 : Integer.getInteger("postroom.plan.rows", rows);
    fill(size, analyzed);
    try (Connection connection = accepting.database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("SET jit = off");
      assertIndexed(plan(statement, "text[], text[], text[]", Ledger.LOCK, lockArguments()));
      assertIndexed(
          plan(
              statement,
              "text[], text[], text[], text[], uuid[], bytea[], text[], bigint[], smallint",
              Ledger.ACCEPT,
              acceptArguments()));
    }
  }

  private void fill(int rows, boolean analyzed) {
    if (rows > 0) {
      accepting.database.execute(
          """
          INSERT INTO room (id, nonce, head) SELECT 'r' || n, n, 5 FROM generate_series(1, %d) n;
          INSERT INTO message (room_no, seq, message_id, participant, client_message_id,
                               author_name, lineage, hash_rule, content_hash, text, accepted_at)
          SELECT no, n, gen_random_uuid(), 'p' || n, 'k' || no || '-' || n, 'name', 1, 1,
                 sha256('x'), 'text', now()
            FROM room, generate_series(1, 5) n
          """
              .formatted(rows / 5));
    }
    if (analyzed) {
      accepting.database.execute("ANALYZE");
    }
  }

  private static List<String> plan(Statement statement, String types, String sql, String arguments)
      throws SQLException {
    List<String> plan = new ArrayList<>();
    statement.execute(Db.BEGIN);
    statement.execute("PREPARE probe (" + types + ") AS " + sql);
    try (var rows =
        statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS) EXECUTE probe (" + arguments + ")")) {
      while (rows.next()) {
        plan.add(rows.getString(1));
      }
    }
    statement.execute("ROLLBACK");
    statement.execute("DEALLOCATE probe");
    if (Boolean.getBoolean("postroom.plan.print")) {
      System.out.println(String.join("\n", plan));
    }
    return plan;
  }

  /** Every look at the two tables is by an index with a condition. */
  private static void assertIndexed(List<String> plan) {
    List<String> whole = new ArrayList<>();
    for (int line = 0; line < plan.size(); line++) {
      String step = plan.get(line);
      boolean isWhole =
          step.matches(".*Index (Only )?Scan .*on (room|message).*")
              && !plan.get(line + 1).contains("Index Cond");
      if (isWhole || step.matches(".*Seq Scan on (room|message).*")) {
        whole.add(step);
      }
    }
    assertEquals(List.of(), whole, String.join("\n", plan));
  }

  private static String lockArguments() {
    return String.join(
        ", ",
        array("text", n -> "'r" + n % 50 + "'"),
        array("text", n -> "'p" + n + "'"),
        array("text", n -> "'new" + n + "'"));
  }

  private static String acceptArguments() {
    return String.join(
        ", ",
        lockArguments(),
        array("text", n -> "'name'"),
        array("uuid", n -> "gen_random_uuid()"),
        array("bytea", n -> "sha256('x')"),
        array("text", n -> "'some text'"),
        array("bigint", n -> "NULL"),
        "1::smallint");
  }

  private static String array(String type, IntFunction<String> element) {
    return IntStream.rangeClosed(1, 100)
        .mapToObj(element)
        .collect(Collectors.joining(", ", "ARRAY[", "]::" + type + "[]"));
  }
}
