package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.postroom.testkit.EmbeddedPg;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What handing over keeps, and of what it must not depend. */
class RestoredHandOverTest {

  @Test
  @DisplayName("L2, L16, R4: in a restored database it goes on where that stood, in a new epoch")
  void restored() {
    EmbeddedPg.Database original = EmbeddedPg.freshDatabase();
    Receivers receivers = new Receivers();
    Receivers.Receiver receiver = receivers.of("all");
    Relaying.room(original, "a");
    try (Relaying node = new Relaying(original, receivers, Map.of()).started()) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.accept(original, "a", 5);
      until(() -> original.number("SELECT count(*) FROM lane WHERE next_seq = 6") == 1);
      Relaying.await(node.sinks.pause(1));
    }
    // Of these the backup has three in the outbox; those after it are lost with the original.
    Relaying.accept(original, "a", 3);
    EmbeddedPg.Database restored = EmbeddedPg.copyOf(original);
    Relaying.accept(original, "a", 2);

    try (Relaying node = new Relaying(restored, receivers, Map.of()).started()) {
      Relaying.await(node.sinks.resume(1));
      until(() -> receiver.applied("a").size() == 8);
      Relaying.accept(restored, "a", 2);
      until(() -> receiver.applied("a").size() == 10);
    }

    assertEquals(LongStream.rangeClosed(1, 10).boxed().toList(), receiver.numbers("a"));
    List<RoomEvent> events = receiver.applied("a");
    assertEquals(events.get(0).epoch(), events.get(7).epoch(), "accepted before the restore");
    assertNotEquals(events.get(7).epoch(), events.get(8).epoch(), "9 is given out again");
    assertEquals(10, events.stream().map(RoomEvent::id).distinct().count());
  }

  @Test
  @DisplayName("L16, H1: an answer to a number that a fail-over lost marks not what has it now")
  void lostUnderWay() {
    EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
    Receivers receivers = new Receivers();
    Receivers.Receiver receiver = receivers.of("all");
    Held<DeliveryResult> held = new Held<>();
    receiver.behave(event -> receiver.calls() == 4 ? held.uni() : Receivers.Receiver.delivered());
    Relaying.room(database, "a");
    try (Relaying node = new Relaying(database, receivers, Map.of()).started()) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.accept(database, "a", 3);
      until(() -> database.number("SELECT count(*) FROM lane WHERE next_seq = 4") == 1);
      Relaying.accept(database, "a", 1);
      until(() -> receiver.calls() == 4);
      failOver(database);
      Relaying.accept(database, "a", 1);
      until(() -> database.number("SELECT known_seq FROM lane") == 4);
      held.complete(new DeliveryResult.Delivered());
      until(() -> receiver.applied("a").size() == 5);
    }
    List<RoomEvent> events = receiver.applied("a");
    assertEquals(List.of(1L, 2L, 3L, 4L, 4L), receiver.numbers("a"));
    assertNotEquals(events.get(3).epoch(), events.get(4).epoch());
  }

  @Test
  @DisplayName("H3, R4: a turn that a fail-over meets begins no epoch in the middle")
  void furtherUnderWay() {
    EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
    Receivers receivers = new Receivers();
    Receivers.Receiver receiver = receivers.of("all");
    Held<DeliveryResult> held = new Held<>();
    // With the last event of a page; the next is read when it is through.
    receiver.behave(
        event -> receiver.calls() == Lanes.PAGE ? held.uni() : Receivers.Receiver.delivered());
    Relaying.room(database, "a");
    try (Relaying node = new Relaying(database, receivers, Map.of()).started()) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.accept(database, "a", Lanes.PAGE + 5);
      until(() -> receiver.calls() == Lanes.PAGE);
      until(() -> database.number("SELECT next_seq FROM lane") == Lanes.PAGE);
      failOver(database, Lanes.PAGE);
      Relaying.accept(database, "a", 3);
      until(() -> database.number("SELECT known_seq FROM lane") == Lanes.PAGE + 2);
      held.complete(new DeliveryResult.Delivered());
      until(() -> database.number("SELECT count(*) FROM lane WHERE state = 'idle'") == 1);
    }
    assertEquals(
        LongStream.concat(
                LongStream.rangeClosed(1, Lanes.PAGE),
                LongStream.rangeClosed(Lanes.PAGE, Lanes.PAGE + 2))
            .boxed()
            .toList(),
        receiver.numbers("a"));
    assertEquals(0, receiver.repeats());
  }

  private static void failOver(EmbeddedPg.Database database) {
    failOver(database, 4);
  }

  /** To a replica that lost the messages from this one on, and has all that was before. */
  private static void failOver(EmbeddedPg.Database database, int lost) {
    database.execute(
        "INSERT INTO lineage (mark, system_identifier, timeline, home, reason)"
            + " SELECT mark + 1, system_identifier, timeline, home, 'fail-over' FROM lineage");
    database.execute("DELETE FROM message WHERE seq >= " + lost);
    database.execute("UPDATE room SET head = " + (lost - 1));
    database.execute("UPDATE lane SET known_seq = " + (lost - 1));
  }

  @Test
  @DisplayName("L2, L3: nothing in the schema is a transaction's number")
  void schema() {
    assertEquals(
        0,
        EmbeddedPg.freshDatabase()
            .number(
                "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public'"
                    + " AND udt_name IN ('xid', 'xid8', 'txid_snapshot', 'pg_snapshot')"));
  }

  @Test
  @DisplayName("S10, C1: no advisory locks, and no clock but the database's decides who may")
  void sources() throws Exception {
    Path outbox = Path.of("src", "main", "java", "dev", "postroom", "outbox");
    // One times what is measured, the other names when a test event was made.
    List<String> mayLook = List.of("RelayMetrics.java", "SinkTypes.java");
    try (Stream<Path> files = Files.list(outbox)) {
      for (Path file : files.toList()) {
        String source = Files.readString(file);
        assertEquals(false, source.contains("pg_advisory"), file.toString());
        assertEquals(false, source.contains("pg_try_advisory"), file.toString());
        if (!mayLook.contains(file.getFileName().toString())) {
          assertEquals(false, source.contains("Instant.now"), file.toString());
          assertEquals(false, source.contains("currentTimeMillis"), file.toString());
          assertEquals(false, source.contains("java.time.Clock"), file.toString());
        }
      }
    }
  }

  private static void until(java.util.concurrent.Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
  }
}
