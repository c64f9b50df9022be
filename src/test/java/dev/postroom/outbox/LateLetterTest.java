package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.outbox.Redrive.Result;
import dev.postroom.outbox.SinkRow.Poison;
import dev.postroom.testkit.EmbeddedPg;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A dead letter that was sent once more, and what becomes of it and its lane then (H1, H3). */
class LateLetterTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private Relaying node;
  private Redrive redrive;

  @BeforeEach
  void start() {
    node =
        new Relaying(
                database,
                receivers,
                Map.of(
                    "postroom.relay.event-faults", "2", "postroom.relay.event-backoff-max", "20MS"))
            .started();
    redrive = new Redrive(node.testDb.db(), node.relay);
    receiver.behave(this::answer);
    Relaying.room(database, "a");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** Message 2 of three is a dead letter, and its gap has left. */
  private int leftOut(Poison policy) {
    int sink = node.sink("all", policy, false, "*");
    refused.add("message 2");
    Relaying.accept(database, "a", 3);
    if (policy == Poison.BLOCK) {
      until("state = 'parked'");
      assertEquals(Result.DONE, result(redrive.skip(sink, 1, 2)));
    }
    until("state = 'idle' AND next_seq = 4");
    assertInstanceOf(RoomEvent.Gap.class, receiver.applied("a").get(1));
    return sink;
  }

  @Test
  @DisplayName(
      "H1, H4: skip_with_gap: refused again it is a dead letter again, and the lane goes on")
  void refusedAgain() {
    int sink = leftOut(Poison.SKIP_WITH_GAP);
    String deadSince = deadSince();
    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));
    until("state = 'idle' AND late = 0");

    assertEquals(1, letters("state = 'dead' AND seq = 2 AND reason = 'answered 422'"));
    assertEquals(deadSince, deadSince(), "the gap is the same event as before");
    assertEquals(0, database.number("SELECT tries + event_faults FROM lane"));
    Relaying.accept(database, "a", 2);
    until("state = 'idle' AND next_seq = 6");
    assertEquals(upTo(5), receiver.numbers("a"));
    refused.clear();
    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));
    Awaitility.await().until(() -> receiver.late().size() == 1);
    until("state = 'idle' AND late = 0");
    assertEquals(0, letters("true"));
  }

  @Test
  @DisplayName("H1, H4: skip_with_gap: one that the sink fails at is a dead letter again as well")
  void failedAgain() {
    int sink = leftOut(Poison.SKIP_WITH_GAP);
    receiver.behave(
        event ->
            event.seq() == 2
                ? Receiver.answer(new DeliveryResult.SinkFault("answered 500", true, null))
                : Receiver.delivered());

    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));
    Relaying.accept(database, "a", 2);

    until("state = 'idle' AND next_seq = 6 AND late = 0");
    assertEquals(upTo(5), receiver.numbers("a"));
    assertEquals(1, letters("state = 'dead' AND seq = 2 AND reason = 'answered 500'"));
  }

  @Test
  @DisplayName("H1, H3: refused again in its turn, its gap leaves in its place after all")
  void refusedAgainInTurn() {
    int sink = node.sink("all", Poison.SKIP_WITH_GAP, false, "*");
    refused.addAll(List.of("message 2", "gap 2"));
    Relaying.accept(database, "a", 4);
    until("state = 'parked' AND next_seq = 2");
    refused.remove("gap 2");

    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));

    until("state = 'idle' AND next_seq = 5 AND late = 0");
    assertEquals(upTo(4), receiver.numbers("a"));
    assertInstanceOf(RoomEvent.Gap.class, receiver.applied("a").get(1));
    assertEquals(1, letters("state = 'dead'"));
  }

  @Test
  @DisplayName(
      "H1, H3, H4: block: refused or failed at again, its room does not wait for it either")
  void blockDoesNotWait() {
    int sink = leftOut(Poison.BLOCK);
    String deadSince = deadSince();
    for (DeliveryResult no :
        new DeliveryResult[] {
          new DeliveryResult.EventFault("answered 422"),
          new DeliveryResult.SinkFault("answered 500", true, null)
        }) {
      receiver.behave(event -> event.seq() == 2 ? Receiver.answer(no) : Receiver.delivered());
      assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));
      Relaying.accept(database, "a", 1);

      until("state = 'idle' AND late = 0 AND next_seq = known_seq + 1");

      assertEquals(1, letters("state = 'dead' AND reason = '" + reason(no) + "'"));
      assertEquals(deadSince, deadSince(), "the gap is the same event as before");
      assertEquals(0, database.number("SELECT tries + event_faults FROM lane"));
    }
    assertEquals(upTo(5), receiver.numbers("a"));
    assertEquals(0, receiver.late().size());
  }

  private static String reason(DeliveryResult no) {
    return no instanceof DeliveryResult.EventFault fault
        ? fault.reason()
        : ((DeliveryResult.SinkFault) no).reason();
  }

  @Test
  @DisplayName("H1: block: one that waits behind a parked head is put back by its number")
  void putBack() {
    int sink = leftOut(Poison.BLOCK);
    refused.add("message 4");
    Relaying.accept(database, "a", 1);
    until("state = 'parked' AND next_seq = 4");
    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));
    until("state = 'parked' AND late = 1");

    assertEquals(Result.OTHER, result(redrive.skip(sink, 1, 3)));
    refused.remove("message 4");
    assertEquals(Result.DONE, result(redrive.skip(sink, 1, 2)));

    until("state = 'idle' AND late = 0");
    assertEquals(1, letters("state = 'dead'"));
    assertEquals(upTo(4), receiver.numbers("a"));
  }

  @Test
  @DisplayName("H6: what a late letter was refused for does not count against the head")
  void countsApart() {
    int sink = leftOut(Poison.BLOCK);
    int before = receiver.calls();
    refused.add("message 4");
    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));
    Relaying.accept(database, "a", 1);

    until("state = 'parked' AND next_seq = 4");

    assertEquals(before + 3, receiver.calls(), "the letter once, the head twice");
    assertEquals(2, database.number("SELECT event_faults FROM lane"));
  }

  @Test
  @DisplayName("H1: its gap had arrived although nobody here knows: it fills the hole")
  void gapArrivedUnknown() {
    int sink = node.sink("all", Poison.SKIP_WITH_GAP, false, "*");
    refused.add("message 2");
    receiver.behave(
        event -> {
          if (event instanceof RoomEvent.Gap) {
            receiver.apply(event);
            return Receiver.answer(new DeliveryResult.SinkFault("no answer", false, null));
          }
          return answer(event);
        });
    Relaying.accept(database, "a", 3);
    Awaitility.await().until(() -> receiver.numbers("a").equals(upTo(2)));
    refused.clear();

    assertEquals(Result.DONE, result(redrive.deadLetter(sink, 1, 2)));

    until("state = 'idle' AND next_seq = 4 AND late = 0");
    assertEquals(upTo(3), receiver.numbers("a"));
    assertEquals(List.of(2L), receiver.late().stream().map(RoomEvent::seq).toList());
    assertEquals(0, letters("true"));
  }

  private Uni<DeliveryResult> answer(RoomEvent event) {
    String name = (event instanceof RoomEvent.Gap ? "gap " : "message ") + event.seq();
    return refused.contains(name)
        ? Receiver.answer(new DeliveryResult.EventFault("answered 422"))
        : Receiver.delivered();
  }

  private String deadSince() {
    return Relaying.await(
        node.testDb
            .db()
            .one(
                "SELECT dead_since::text AS since FROM dead_letter",
                io.vertx.sqlclient.Tuple.tuple(),
                row -> row.getString("since")));
  }

  private long letters(String where) {
    return database.number("SELECT count(*) FROM dead_letter WHERE " + where);
  }

  private static Result result(Uni<Redrive.Answer> answer) {
    return Relaying.await(answer).result();
  }

  private void until(String where) {
    Awaitility.await(where)
        .atMost(Duration.ofSeconds(60))
        .until(() -> database.number("SELECT count(*) FROM lane WHERE " + where) == 1);
  }

  private static List<Long> upTo(long last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }
}
