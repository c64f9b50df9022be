package dev.postroom.outbox;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import io.smallrye.mutiny.Uni;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RelayTest {
  private static final SinkRow.Poison BLOCK = SinkRow.Poison.BLOCK;

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private Relaying node;

  @BeforeEach
  void start() {
    node =
        node(
            Map.of("postroom.relay.event-faults", "3", "postroom.relay.event-backoff-max", "20MS"));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private Relaying node(Map<String, String> settings) {
    return new Relaying(database, receivers, settings).started();
  }

  private static void until(java.util.concurrent.Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).until(condition);
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }

  private long lanes(String where) {
    return database.number("SELECT count(*) FROM lane WHERE " + where);
  }

  @Test
  @DisplayName("H1, H3: what is accepted arrives, in order, and the outbox empties itself")
  void handsOver() {
    node.sink("all", BLOCK, false, "*");
    Relaying.room(database, "a");
    Relaying.room(database, "b");
    for (int i = 0; i < 10; i++) {
      Relaying.accept(database, "a", 30);
      Relaying.accept(database, "b", 1);
    }
    Receiver receiver = receivers.of("all");

    until(() -> receiver.count() == 310);

    assertEquals(upTo(300), receiver.numbers("a"));
    assertEquals(upTo(10), receiver.numbers("b"));
    assertEquals(List.of(), receiver.disorder());
    until(() -> lanes("state = 'idle'") == 2);
    assertEquals(0, database.number("SELECT count(*) FROM outbox"));
    assertEquals(0, receiver.repeats());
  }

  @Test
  @DisplayName("H1: a sink begins with now, with the beginning, and takes only its rooms")
  void starts() {
    Relaying.room(database, "case-1");
    Relaying.room(database, "chat-1");
    Relaying.accept(database, "case-1", 5);
    Relaying.accept(database, "chat-1", 5);
    node.sink("now", BLOCK, false, "case-*");
    node.sink("beginning", BLOCK, true, "case-*");
    Relaying.accept(database, "case-1", 2);
    Relaying.accept(database, "chat-1", 2);
    Relaying.room(database, "case-2");
    Relaying.accept(database, "case-2", 3);

    until(() -> receivers.of("now").count() == 5 && receivers.of("beginning").count() == 10);

    assertEquals(List.of(6L, 7L), receivers.of("now").numbers("case-1"));
    assertEquals(upTo(3), receivers.of("now").numbers("case-2"));
    assertEquals(upTo(7), receivers.of("beginning").numbers("case-1"));
    assertEquals(List.of(), receivers.of("beginning").numbers("chat-1"));
  }

  @Test
  @DisplayName("H2: an event is marked after the positive answer and not before")
  void marksAfterwards() {
    Relaying.room(database, "a");
    node.sink("all", BLOCK, false, "*");
    Held<DeliveryResult> held = new Held<>();
    receivers.of("all").behave(event -> held.uni());
    Relaying.accept(database, "a", 1);
    until(() -> receivers.of("all").calls() == 1);

    assertEquals(1, lanes("next_seq = 1 AND state = 'leased'"));
    assertEquals(
        0,
        database.number(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'postroom'"
                + " AND xact_start IS NOT NULL AND state LIKE 'idle in transaction%'"));
    held.complete(new DeliveryResult.Delivered());

    until(() -> lanes("next_seq = 2 AND state = 'idle'") == 1);
  }

  @Test
  @DisplayName("H4, H6: an event that is refused parks its lane after N times, others go on")
  void parks() {
    Relaying.room(database, "bad");
    Relaying.room(database, "good");
    node.sink("all", BLOCK, false, "*");
    Receiver receiver = receivers.of("all");
    receiver.behave(
        event ->
            event.room().value().equals("bad") && event.seq() == 2
                ? Receiver.answer(new DeliveryResult.EventFault("answered 422"))
                : Receiver.delivered());
    Relaying.accept(database, "bad", 5);
    Relaying.accept(database, "good", 5);

    until(() -> lanes("state = 'parked'") == 1 && receiver.numbers("good").size() == 5);

    assertEquals(List.of(1L), receiver.numbers("bad"));
    assertEquals(
        1, lanes("state = 'parked' AND event_faults = 3 AND next_seq = 2 AND known_seq = 5"));
    assertEquals(1, lanes("state = 'parked' AND last_error = 'answered 422'"));
    Relaying.accept(database, "bad", 1);
    until(() -> lanes("known_seq = 6 AND state = 'parked'") == 1);
  }

  @Test
  @DisplayName("H1: with skip_with_gap the refused number is reported and the rest goes on (P4)")
  void skipsWithGap() {
    Relaying.room(database, "a");
    int sink = node.sink("all", SinkRow.Poison.SKIP_WITH_GAP, false, "*");
    Receiver receiver = receivers.of("all");
    receiver.behave(
        event ->
            event instanceof RoomEvent.Accepted && event.seq() == 2
                ? Receiver.answer(new DeliveryResult.EventFault("answered 413"))
                : Receiver.delivered());
    Relaying.accept(database, "a", 4);

    until(() -> receiver.count() == 4);

    assertInstanceOf(RoomEvent.Gap.class, receiver.applied("a").get(1));
    assertEquals(upTo(4), receiver.numbers("a"));
    assertEquals(
        1,
        database.number(
            "SELECT count(*) FROM dead_letter WHERE seq = 2 AND state = 'dead' AND sink_no = "
                + sink));
    assertTrue(receiver.applied("a").get(1).id().endsWith(":2:gap"));
  }

  @Test
  @DisplayName("H4: a dead sink holds up nobody; it is tried now and then, and catches up")
  void deadSink() {
    for (int i = 0; i < 30; i++) {
      Relaying.room(database, "r" + i);
    }
    node.sink("dead", BLOCK, false, "*");
    node.sink("healthy", BLOCK, false, "*");
    Receiver dead = receivers.of("dead");
    dead.behave(
        event -> Receiver.answer(new DeliveryResult.SinkFault("connection refused", false, null)));
    for (int i = 0; i < 30; i++) {
      Relaying.accept(database, "r" + i, 3);
    }

    until(() -> receivers.of("healthy").count() == 90);
    until(() -> dead.calls() >= 8);
    assertEquals(0, lanes("state = 'parked'"));
    assertEquals(0, lanes("tries > 0"));
    dead.behave(event -> Receiver.delivered());

    until(() -> dead.count() == 90);
    assertEquals(List.of(), dead.disorder());
  }

  @Test
  @DisplayName("H6: our own fault counts against nobody, and the event leaves later")
  void ownFault() {
    Relaying.room(database, "a");
    node.sink("all", BLOCK, false, "*");
    Receiver receiver = receivers.of("all");
    receiver.behave(
        event ->
            receiver.calls() < 4
                ? Uni.createFrom().failure(new IllegalStateException("thrown by the test"))
                : Receiver.delivered());
    Relaying.accept(database, "a", 2);

    until(() -> receiver.count() == 2);
    until(() -> lanes("state = 'idle' AND tries = 0 AND event_faults = 0") == 1);
    assertEquals(
        3, node.meters.get("postroom.relay.publish").tag("outcome", "own_fault").timer().count());
  }

  @Test
  @DisplayName("H1: a sink that says it is gone is disabled, and what it missed waits (S13)")
  void gone() {
    Relaying.room(database, "a");
    int sink = node.sink("all", BLOCK, false, "*");
    Receiver receiver = receivers.of("all");
    receiver.behave(event -> Receiver.answer(new DeliveryResult.Gone("answered 410")));
    Relaying.accept(database, "a", 2);
    until(() -> database.number("SELECT count(*) FROM sink WHERE state = 'disabled'") == 1);
    Relaying.accept(database, "a", 2);
    receiver.behave(event -> Receiver.delivered());

    Relaying.await(node.sinks.resume(sink));

    until(() -> receiver.count() == 4);
    assertEquals(upTo(4), receiver.numbers("a"));
  }

  @Test
  @DisplayName("H4, L19: another node takes over the lanes of one that died, after its lease")
  void takesOver() {
    Relaying.room(database, "a");
    node.sink("all", BLOCK, false, "*");
    Held<DeliveryResult> never = new Held<>();
    receivers.of("all").behave(event -> never.uni());
    Relaying dying = new Relaying(database, receivers, Map.of("postroom.relay.lease", "2S"));
    node.close();
    dying.started();
    Relaying.accept(database, "a", 3);
    until(() -> lanes("state = 'leased'") == 1);
    dying.kill();
    receivers.of("all").behave(event -> Receiver.delivered());

    node = node(Map.of("postroom.relay.lease", "2S", "postroom.relay.sweep", "1S"));

    until(() -> receivers.of("all").count() == 3);
    assertEquals(1, (int) node.meters.get("postroom.relay.taken.over").counter().count());
  }

  @Test
  @DisplayName("S7, S8: a backlog that became due long ago is drained by one sweep, not by many")
  void oldBacklog() {
    node.close();
    int rooms = 300;
    for (int i = 0; i < rooms; i++) {
      Relaying.room(database, "r" + i);
      Relaying.accept(database, "r" + i, 1);
    }
    node = new Relaying(database, receivers, Map.of("postroom.relay.sweep", "1H"));
    node.sink("all", BLOCK, true, "*");
    database.execute("UPDATE lane SET due_at = now() - interval '1 hour'");
    node.started();

    until(() -> receivers.of("all").count() == rooms);
  }

  @Test
  @DisplayName("S7: what somebody held when the sweep came by is not left to the next sweep")
  void heldDuringSweep() throws SQLException {
    node.close();
    for (String room : List.of("held", "free")) {
      Relaying.room(database, room);
      Relaying.accept(database, room, 1);
    }
    node = new Relaying(database, receivers, Map.of("postroom.relay.sweep", "1H"));
    node.sink("all", BLOCK, true, "*");
    database.execute("UPDATE lane SET due_at = now() - interval '1 hour'; DELETE FROM outbox");
    try (Connection ring = database.connect();
        Statement statement = ring.createStatement()) {
      ring.setAutoCommit(false);
      statement.execute(
          "SELECT 1 FROM lane JOIN room ON no = room_no AND id = 'held' FOR UPDATE OF lane");
      node.started();
      until(() -> receivers.of("all").numbers("free").size() == 1);
      assertEquals(List.of(), receivers.of("all").numbers("held"));
      ring.rollback();
    }
    until(() -> receivers.of("all").numbers("held").size() == 1);
  }
}
