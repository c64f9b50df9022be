package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import io.vertx.sqlclient.Tuple;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PoisonTest {
  /** Deliveries of a round; ADR 0005 has the figures of 10,000 rooms and 30 rounds. */
  private static final int ROOMS_HELD = Integer.getInteger("postroom.snapshot.rooms", 500);

  private static final int ROUNDS = Integer.getInteger("postroom.snapshot.rounds", 40);

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();

  private void parkedRooms(int count) {
    database.execute(
        """
        INSERT INTO room (id, nonce, head) SELECT 'bad' || n, 7, 1 FROM generate_series(1, %d) n;
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT no, 1, gen_random_uuid(), 'ann', 'k', 'Ann', 1, 1, '\\x00', 'x', now() FROM room
         WHERE id LIKE 'bad%%';
        """
            .formatted(count));
  }

  /** Buffers that the look for work touches: what it costs, whatever else the machine does. */
  private static long buffers(Relaying node, long above, double seconds) {
    String plan =
        Relaying.await(
            node.testDb
                .db()
                .one(
                    "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + Outbox.LOOK,
                    Tuple.of(above, seconds),
                    row -> row.getValue(0).toString()));
    String label = "\"Shared Hit Blocks\":";
    int begin = plan.indexOf(label) + label.length();
    int end = plan.indexOf(',', begin);
    return Long.parseLong(plan.substring(begin, end).trim());
  }

  @Test
  @DisplayName("P1, P2, H4: 10,000 lanes parked by poison, and one good one is handed over at once")
  void manyParked() {
    int bad = 10_000;
    parkedRooms(bad);
    Receiver receiver = receivers.of("all");
    receiver.behave(
        event ->
            event.room().value().startsWith("bad")
                ? Receiver.answer(new DeliveryResult.EventFault("answered 422"))
                : Receiver.delivered());
    try (Relaying node =
        new Relaying(
                database,
                receivers,
                Map.of("postroom.relay.event-faults", "1", "postroom.relay.lanes-per-sink", "64"))
            .started()) {
      node.sink("all", SinkRow.Poison.BLOCK, true, "*");
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> database.number("SELECT count(*) FROM lane WHERE state = 'parked'") == bad);
      int calls = receiver.calls();
      Relaying.room(database, "good");
      Relaying.accept(database, "good", 3);

      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.count() == 3);

      assertEquals(3, receiver.numbers("good").size());
      assertEquals(calls + 3, receiver.calls(), "parked lanes are not tried");
      database.execute("VACUUM ANALYZE");
      long cost = buffers(node, 0, 1e10);
      System.out.println("look with 10,000 parked lanes: " + cost + " buffers");
      assertTrue(cost < 100, () -> cost + " buffers");
    }
  }

  @Test
  @DisplayName("B1: an old snapshot held open does not make the look for work dearer and dearer")
  void heldSnapshot() throws SQLException {
    for (int i = 0; i < ROOMS_HELD; i++) {
      Relaying.room(database, "r" + i);
    }
    try (Relaying node = new Relaying(database, receivers, Map.of());
        Connection old = database.connect();
        Statement reader = old.createStatement()) {
      int sink = node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      old.setAutoCommit(false);
      old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      reader.executeQuery("SELECT count(*) FROM lane").close();
      long highest = 0;
      long early = 0;
      for (int round = 1; round <= ROUNDS; round++) {
        acceptEverywhere();
        for (int taken = 0; taken < ROOMS_HELD; ) {
          Outbox.Rung rung = Relaying.await(node.outbox.ring(highest));
          assertTrue(rung.taken() > 0);
          taken += rung.taken();
          highest = rung.highest();
        }
        for (int given = 0; given < ROOMS_HELD; ) {
          given += handOver(node, sink);
        }
        Awaitility.await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(10))
            .atMost(Duration.ofSeconds(60))
            .until(() -> database.number("SELECT count(*) FROM lane WHERE state <> 'idle'") == 0);
        if (round == ROUNDS / 4) {
          early = usual(node, highest);
        }
      }
      long usual = usual(node, highest);
      long everything = buffers(node, 0, 1e10);
      System.out.printf(
          "look after %d deliveries under an old snapshot: %d buffers (%d after a quarter), the"
              + " sweep %d%n",
          ROUNDS * ROOMS_HELD, usual, early, everything);
      // 6 measured, early and late. A look that reads the dead rows of a lane, or of the outbox,
      // passes this by a multiple and grows with them.
      assertTrue(usual < 20, usual + " buffers");
      assertTrue(usual < early + 5, early + " buffers grew to " + usual);
      assertTrue(everything > 5 * usual, "the snapshot holds dead rows");
      old.rollback();
    }
  }

  /** Some lanes; how many. */
  private static int handOver(Relaying node, int sink) {
    var claims = Relaying.await(node.lanes.claim(sink, 300, 500, Duration.ofMinutes(5)));
    assertTrue(claims.size() > 0);
    for (Claim claim : claims) {
      node.settler.settle(
          new Settlement(
              claim.key(),
              claim.token(),
              claim.lineage(),
              claim.next(),
              claim.known() + 1,
              java.util.List.of(),
              new Settlement.Then.Release()));
    }
    return claims.size();
  }

  /** As low as the look goes: what became due long ago is the sweep's. */
  private long usual(Relaying node, long highest) {
    database.execute("ANALYZE");
    return buffers(node, highest, 0.001);
  }

  private void acceptEverywhere() {
    database.execute(
        """
        WITH bumped AS (UPDATE room SET head = head + 1 RETURNING no, head),
        rung AS (INSERT INTO outbox (room_no, first_seq, last_seq)
                 SELECT no, head, head FROM bumped)
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT no, head, gen_random_uuid(), 'ann', 'k' || head, 'Ann', 1, 1, '\\x00', 'x', now()
          FROM bumped
        """);
  }
}
