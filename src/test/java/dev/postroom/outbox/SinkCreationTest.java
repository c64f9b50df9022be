package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.SinkRow.Poison;
import dev.postroom.testkit.EmbeddedPg;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** H1: between making a sink and ringing, no message is forgotten. */
class SinkCreationTest {
  private EmbeddedPg.Database database;
  private Relaying node;

  @BeforeEach
  void open() {
    database = EmbeddedPg.freshDatabase();
    node = new Relaying(database, new Receivers(), Map.of("postroom.relay.sinks", "2"));
    Relaying.room(database, "a");
    Relaying.accept(database, "a", 3);
  }

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  @DisplayName("H1: while somebody rings, no sink is made")
  void waitsForRinging() throws SQLException {
    try (Connection ringer = database.connect()) {
      ringer.setAutoCommit(false);
      ringer.createStatement().execute("LOCK TABLE sink IN ROW SHARE MODE");
      CompletableFuture<Integer> made =
          CompletableFuture.supplyAsync(() -> node.sink("one", Poison.BLOCK, false, "*"));
      Awaitility.await().until(this::isWaitedFor);
      assertFalse(made.isDone());
      ringer.rollback();
      assertEquals(1, made.join());
    }
    assertEquals(4, database.number("SELECT next_seq FROM lane"));
  }

  @Test
  @DisplayName("H1: while a sink is made, nobody rings; afterwards its lanes are told")
  void ringingWaits() throws SQLException {
    node.sink("one", Poison.BLOCK, false, "*");
    Relaying.accept(database, "a", 2);
    try (Connection maker = database.connect()) {
      maker.setAutoCommit(false);
      maker.createStatement().execute("LOCK TABLE sink IN EXCLUSIVE MODE");
      Future<Outbox.Rung> rung = node.outbox.ring(0);
      Awaitility.await().until(this::isWaitedFor);
      assertFalse(rung.isComplete());
      maker.rollback();
      assertEquals(2, Relaying.await(rung).taken());
    }
    assertEquals(5, database.number("SELECT known_seq FROM lane"));
  }

  @Test
  @DisplayName("H1: of a room that is closed, a sink from now on gets nothing, an older one all")
  void closedBeforeItsBell() {
    int older = node.sink("older", Poison.BLOCK, false, "*");
    Relaying.accept(database, "a", 2);
    database.execute("UPDATE room SET closed_at = now()");
    Relaying.room(database, "a");
    Relaying.accept(database, "a", 4);

    int newer = node.sink("newer", Poison.BLOCK, false, "*");
    Relaying.accept(database, "a", 1);
    Relaying.room(database, "b");
    Relaying.accept(database, "b", 2);
    database.execute("UPDATE room SET closed_at = now() WHERE id = 'b'");
    Relaying.await(node.outbox.ring(0));

    assertEquals(List.of("1:4-5", "2:1-5", "3:1-2"), pending(older));
    assertEquals(List.of("2:5-5", "3:1-2"), pending(newer), "2 made again, 3 made later");
    assertEquals(0, database.number("SELECT count(*) FROM outbox"));
  }

  /** Of every lane the room and the numbers that are to be handed over. */
  private List<String> pending(int sink) {
    return Relaying.await(
        node.testDb
            .db()
            .many(
                """
                SELECT room_no || ':' || next_seq || '-' || known_seq AS lane FROM lane
                 WHERE sink_no = $1 AND state = 'ready' AND due_at IS NOT NULL ORDER BY room_no
                """,
                Tuple.of(sink),
                row -> row.getString("lane")));
  }

  @Test
  @DisplayName("S1: no more sinks than configured; a deleted one makes room")
  void bound() {
    node.sink("one", Poison.BLOCK, false, "*");
    node.sink("two", Poison.BLOCK, false, "*");
    Sinks.NewSink third =
        new Sinks.NewSink(
            "three",
            "test",
            "three",
            List.of("*"),
            "three",
            SinkRow.Format.STRUCTURED,
            Poison.BLOCK,
            null,
            true,
            Map.of());
    assertFalse(Relaying.await(node.sinks.create(third)));
    Relaying.await(node.sinks.delete(1));
    assertTrue(Relaying.await(node.sinks.create(third)));
  }

  @Test
  @DisplayName("W12: after a rotation the old secret signs along for a while, no longer")
  void rotation() {
    int no = node.sink("one", Poison.BLOCK, false, "*");
    assertTrue(Relaying.await(node.sinks.rotate(no, new byte[] {1}, Duration.ofHours(1))));
    assertTrue(Relaying.await(node.sinks.rotate(no, new byte[] {2}, Duration.ofHours(1))));
    assertTrue(Relaying.await(node.sinks.rotate(no, new byte[] {3}, Duration.ZERO)));

    SinkRow sink = Relaying.await(node.sinks.find("one"));

    assertEquals(
        List.of(3, 1), sink.secrets().stream().map(secret -> (int) secret.sealed()[0]).toList());
    assertNotNull(sink.secrets().get(1).expiresAt());
  }

  private boolean isWaitedFor() {
    return database.number(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND wait_event_type = 'Lock'")
        > 0;
  }
}
