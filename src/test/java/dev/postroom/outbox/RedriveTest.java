package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.outbox.Redrive.Result;
import dev.postroom.outbox.SinkRow.Poison;
import dev.postroom.testkit.EmbeddedPg;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What stands is taken up again, once (H1, P9). */
class RedriveTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private Relaying node;
  private Redrive redrive;

  @BeforeEach
  void start() {
    node = new Relaying(database, receivers, Map.of("postroom.relay.event-faults", "1")).started();
    redrive = new Redrive(node.testDb.db(), node.relay);
    receiver.behave(this::answer);
    Relaying.room(database, "a");
    Relaying.room(database, "b");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  @DisplayName("P9, H3: a parked lane is redriven once, and its tail leaves in order")
  void lane() {
    int sink = node.sink("all", Poison.BLOCK, false, "*");
    refused.add("message 3");
    Relaying.accept(database, "a", 6);
    until("state = 'parked'", 1);
    assertEquals(upTo(2), receiver.numbers("a"));
    refused.clear();

    List<Result> results = atOnce(8, () -> redrive.lane(sink, 1));

    assertOnce(results);
    until("state = 'idle' AND next_seq = 7 AND tries = 0 AND event_faults = 0", 1);
    assertEquals(upTo(6), receiver.numbers("a"));
    assertEquals(Result.ALREADY, result(redrive.lane(sink, 1)));
    assertEquals(Result.NONE, result(redrive.lane(sink, 99)));
  }

  @Test
  @DisplayName("P9: all parked lanes of the rooms asked for, counted before")
  void manyLanes() {
    int sink = node.sink("all", Poison.BLOCK, false, "*");
    refused.add("message 1");
    database.execute(
        "INSERT INTO room (id, nonce) SELECT 'c_' || n, 7 FROM generate_series(1, 5) n");
    for (int n = 1; n <= 5; n++) {
      Relaying.accept(database, "c_" + n, 2);
    }
    Relaying.accept(database, "a", 2);
    until("state = 'parked'", 6);
    refused.clear();

    assertEquals(5, Relaying.await(redrive.count(sink, List.of("c_*", "b"))));
    assertEquals(5, Relaying.await(redrive.lanes(sink, List.of("c_*", "b"))));

    until("state = 'idle' AND next_seq = 3", 5);
    until("state = 'parked'", 1);
    assertEquals(0, Relaying.await(redrive.lanes(sink, List.of("c_*"))));
    assertEquals(1, Relaying.await(redrive.count(sink, List.of("*"))));
  }

  @Test
  @DisplayName("H1: what was left out is sent late, once, whoever asks how often")
  void deadLetter() {
    int sink = node.sink("all", Poison.SKIP_WITH_GAP, false, "*");
    refused.add("message 2");
    Relaying.accept(database, "a", 4);
    until("state = 'idle' AND next_seq = 5", 1);
    assertInstanceOf(RoomEvent.Gap.class, receiver.applied("a").get(1));
    refused.clear();

    List<Result> results = atOnce(8, () -> redrive.deadLetter(sink, 1, 2));

    assertOnce(results);
    await(() -> receiver.late().size() == 1);
    until("state = 'idle' AND late = 0 AND room_no = 1", 1);
    assertEquals(2, receiver.late().get(0).seq());
    assertEquals(0, database.number("SELECT count(*) FROM dead_letter"));
    assertEquals(Result.ALREADY, result(redrive.deadLetter(sink, 1, 2)));
    assertEquals(Result.NONE, result(redrive.deadLetter(sink, 1, 5)));
    assertEquals(1, receiver.late().size());
  }

  @Test
  @DisplayName("H1, H3: redriven before its gap left, it leaves in its turn, and no gap does")
  void deadLetterInTurn() {
    int sink = node.sink("all", Poison.SKIP_WITH_GAP, false, "*");
    refused.addAll(List.of("message 2", "gap 2"));
    Relaying.accept(database, "a", 4);
    until("state = 'parked' AND next_seq = 2", 1);
    refused.clear();

    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));

    until("state = 'idle' AND next_seq = 5 AND late = 0", 1);
    assertEquals(upTo(4), receiver.numbers("a"));
    receiver.applied("a").forEach(event -> assertInstanceOf(RoomEvent.Accepted.class, event));
    assertEquals(0, receiver.late().size());
    assertEquals(0, database.number("SELECT count(*) FROM dead_letter"));
  }

  @Test
  @DisplayName("H1: redriven while its gap is on its way, it comes late, and is not lost")
  void deadLetterDuringItsGap() {
    int sink = node.sink("all", Poison.SKIP_WITH_GAP, false, "*");
    Held<DeliveryResult> gap = new Held<>();
    refused.add("message 2");
    receiver.behave(event -> event instanceof RoomEvent.Gap ? gap.uni() : answer(event));
    Relaying.accept(database, "a", 4);
    await(() -> receiver.calls() == 3);
    refused.clear();

    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));
    gap.complete(new DeliveryResult.Delivered());

    await(() -> receiver.late().size() == 1);
    until("state = 'idle' AND next_seq = 5 AND late = 0", 1);
    assertEquals(upTo(4), receiver.numbers("a"));
    assertInstanceOf(RoomEvent.Gap.class, receiver.applied("a").get(1));
  }

  @Test
  @DisplayName("H1, H3: a parked head is skipped by number, whatever the policy; a gap leaves")
  void skip() {
    int sink = node.sink("all", Poison.BLOCK, false, "*");
    refused.add("message 3");
    Relaying.accept(database, "a", 5);
    until("state = 'parked'", 1);

    assertEquals(Result.OTHER, result(redrive.skip(sink, 1, 4)));
    assertEquals(3L, Relaying.await(redrive.skip(sink, 1, 2)).nextSeq());
    assertOnce(atOnce(8, () -> redrive.skip(sink, 1, 3)));

    until("state = 'idle' AND next_seq = 6", 1);
    assertEquals(upTo(5), receiver.numbers("a"));
    assertInstanceOf(RoomEvent.Gap.class, receiver.applied("a").get(2));
    assertEquals(
        1,
        database.number(
            "SELECT count(*) FROM dead_letter WHERE seq = 3 AND reason = 'answered 422'"));
    assertEquals(Result.ALREADY, result(redrive.skip(sink, 1, 3)));
    assertEquals(Result.NONE, result(redrive.skip(sink, 99, 3)));
  }

  @Test
  @DisplayName("H6, S5: lists show where lanes stand and why, page by page")
  void lists() {
    int sink = node.sink("all", Poison.BLOCK, false, "*");
    LaneList list = new LaneList(node.testDb.db());
    refused.add("message 2");
    Relaying.accept(database, "a", 3);
    Relaying.accept(database, "b", 1);
    until("state = 'parked'", 1);
    until("state = 'idle'", 1);

    List<LaneList.LaneRow> first = Relaying.await(list.lanes(sink, null, 0, 1));
    List<LaneList.LaneRow> second = Relaying.await(list.lanes(sink, null, 1, 5));
    LaneList.LaneRow parked = first.get(0);

    assertEquals("a", parked.place().room());
    assertEquals(LaneState.PARKED, parked.state());
    assertEquals(2, parked.nextSeq());
    assertEquals(2, parked.pending());
    assertEquals(1, parked.eventFaults());
    assertEquals("answered 422", parked.lastError());
    assertNotNull(parked.since());
    assertEquals(List.of("b"), second.stream().map(row -> row.place().room()).toList());
    for (LaneState state : LaneState.values()) {
      int expected = state == LaneState.PARKED || state == LaneState.IDLE ? 1 : 0;
      assertEquals(expected, Relaying.await(list.lanes(sink, state, 0, 5)).size(), state.word());
    }
    assertEquals(Map.of(LaneState.PARKED, 1L), Relaying.await(list.counts(sink)));

    Relaying.await(redrive.skip(sink, 1, 2));
    LaneList.DeadLetter letter = Relaying.await(list.deadLetters(sink, 0, 0, 5)).get(0);
    assertEquals(2, letter.seq());
    assertEquals("answered 422", letter.reason());
    assertEquals(List.of(), Relaying.await(list.deadLetters(sink, 1, 2, 5)));
    assertEquals(1, Relaying.await(list.deadLetters(sink)));
  }

  @Test
  @DisplayName("H1: what a deleted sink left goes, and nothing else")
  void deletedSink() {
    int sink = node.sink("all", Poison.BLOCK, true, "*");
    int other = node.sink("other", Poison.BLOCK, true, "*");
    refused.add("message 1");
    Relaying.accept(database, "a", 1);
    until("state = 'parked'", 1);
    Relaying.await(redrive.skip(sink, 1, 1));
    Relaying.await(node.sinks.delete(sink));

    Relaying.await(new SinkSweep(node.sinks).pass());

    assertEquals(1, database.number("SELECT count(*) FROM sink"));
    assertEquals(0, database.number("SELECT count(*) FROM lane WHERE sink_no = " + sink));
    assertEquals(0, database.number("SELECT count(*) FROM dead_letter"));
    assertEquals(2, database.number("SELECT count(*) FROM lane WHERE sink_no = " + other));
  }

  private Uni<DeliveryResult> answer(RoomEvent event) {
    String name = (event instanceof RoomEvent.Gap ? "gap " : "message ") + event.seq();
    return refused.contains(name)
        ? Receiver.answer(new DeliveryResult.EventFault("answered 422"))
        : Receiver.delivered();
  }

  private static Result result(Uni<Redrive.Answer> answer) {
    return Relaying.await(answer).result();
  }

  private static List<Result> atOnce(
      int callers, java.util.function.Supplier<Uni<Redrive.Answer>> call) {
    List<CompletableFuture<Redrive.Answer>> calls = new ArrayList<>();
    for (int n = 0; n < callers; n++) {
      calls.add(call.get().subscribeAsCompletionStage());
    }
    return calls.stream().map(one -> one.join().result()).toList();
  }

  private static void assertOnce(List<Result> results) {
    assertEquals(1, results.stream().filter(Result.DONE::equals).count(), results.toString());
    assertEquals(Set.of(Result.DONE, Result.ALREADY), new HashSet<>(results));
  }

  private void until(String where, long lanes) {
    await(() -> database.number("SELECT count(*) FROM lane WHERE " + where) == lanes);
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(java.time.Duration.ofSeconds(60)).until(condition);
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }
}
