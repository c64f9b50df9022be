package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.SinkRooms.Named;
import dev.postroom.room.Epochs;
import dev.postroom.room.RoomId;
import dev.postroom.testkit.EmbeddedPg;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R4, L16: a number that was given again after a restore is not the one that somebody meant. */
class SinkRoomsTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();

  @Test
  @DisplayName("R4, L16: a number is meant by its own epoch or the present one, not by one before")
  void restored() {
    try (Relaying node = new Relaying(database, new Receivers(), Map.of())) {
      SinkRooms rooms = new SinkRooms(node.testDb.db());
      int sink = node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.room(database, "a");
      Relaying.accept(database, "a", 1);
      String before = epoch();
      Relaying.await(new Epochs(node.testDb.db()).renew("restored by the test"));
      Relaying.accept(database, "a", 1);
      String since = epoch();
      Relaying.await(node.outbox.ring(0));
      for (int seq = 1; seq <= 2; seq++) {
        database.execute("UPDATE lane SET state = 'parked', due_at = NULL, next_seq = " + seq);
        Relaying.await(new Redrive(node.testDb.db(), node.relay).skip(sink, 1, seq));
      }

      Named first = Relaying.await(rooms.named(sink, new RoomId("a"), 1)).get(0);
      Named second = Relaying.await(rooms.named(sink, new RoomId("a"), 2)).get(0);

      assertTrue(first.means(before));
      assertTrue(first.means(since));
      assertFalse(second.means(before), "2 of the old epoch is another message");
      assertTrue(second.means(since));
      assertEquals(List.of(before, since), second.epochs());
      List<LaneList.DeadLetter> letters =
          Relaying.await(new LaneList(node.testDb.db()).deadLetters(sink, 0, 0, 5));
      assertEquals(
          List.of(before, since),
          letters.stream().map(letter -> letter.place().epoch()).toList(),
          "as receivers know it");
      assertEquals(List.of(), Relaying.await(rooms.named(sink, new RoomId("b"), 1)));
    }
  }

  @Test
  @DisplayName("S1: a closed room is found by its name among 100,000 without reading them")
  void manyClosed() {
    try (Relaying node = new Relaying(database, new Receivers(), Map.of())) {
      int sink = node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      database.execute(
          """
          INSERT INTO room (id, nonce, head, closed_at)
          SELECT 'r' || i, 7, 1, now() FROM generate_series(1, 100000) i;
          INSERT INTO lane (room_no, sink_no, next_seq, known_seq, state)
          SELECT no, %d, 1, 1, 'parked' FROM room;
          """
              .formatted(sink));
      database.execute("VACUUM ANALYZE room, lane");
      SinkRooms rooms = new SinkRooms(node.testDb.db());
      assertEquals(1, Relaying.await(rooms.named(sink, new RoomId("r77777"), 1)).size());

      long buffers = buffers(node, sink);
      database.execute("DROP INDEX room_closed");
      long without = buffers(node, sink);

      System.out.println("closed room by name: " + buffers + " buffers, no index: " + without);
      assertTrue(buffers < 40, buffers + " buffers");
      assertTrue(without > 400, without + " buffers: the index is not what makes it cheap");
    }
  }

  /** Pages of tables and indexes that looking for one closed room touches. */
  private static long buffers(Relaying node, int sink) {
    JsonArray plan =
        Relaying.await(
            node.testDb
                .db()
                .one(
                    "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) " + SinkRooms.NAMED,
                    Tuple.of(sink, "r77777", 1L),
                    row -> new JsonArray(row.getValue(0).toString())));
    JsonObject top = plan.getJsonObject(0).getJsonObject("Plan");
    return top.getLong("Shared Hit Blocks") + top.getLong("Shared Read Blocks");
  }

  private String epoch() {
    return Epochs.of(7, (int) database.number("SELECT mark FROM lineage ORDER BY no DESC LIMIT 1"));
  }
}
