package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What became due while nobody could take it is found by the first who can, not by the next sweep:
 * there is none here.
 */
class LookBackTest {
  private static final Map<String, String> NO_SWEEP =
      Map.of(
          "postroom.relay.sweep", "1H",
          "postroom.relay.lanes-per-sink", "1",
          "postroom.relay.schedule", "1S");

  /** Longer than a look looks back. */
  private static final Duration LONG = Duration.ofSeconds(7);

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");

  private int begin(Relaying node, String... rooms) {
    int sink = node.sink("all", SinkRow.Poison.BLOCK, false, "*");
    for (String room : rooms) {
      Relaying.room(database, room);
    }
    return sink;
  }

  @Test
  @DisplayName("H4, S8: lanes that a slow receiver kept waiting for long go on without a pause")
  void afterSlowAnswers() {
    try (Relaying node = new Relaying(database, receivers, NO_SWEEP).started()) {
      begin(node, "a", "b", "c");
      Relaying.accept(database, "a", 1);
      until(() -> receiver.count() == 1);
      until(() -> database.number("SELECT count(*) FROM lane WHERE state = 'idle'") == 1);
      int before = receiver.calls();
      receiver.behave(
          event ->
              receiver.calls() > before + 1
                  ? Receiver.delivered()
                  : Receiver.delivered().onItem().delayIt().by(LONG));
      Relaying.accept(database, "a", 1);
      Relaying.accept(database, "b", 1);
      Relaying.accept(database, "c", 1);
      until(() -> receiver.count() == 4);
    }
  }

  @Test
  @DisplayName("S13: what waited while the sink was paused leaves when it is resumed")
  void afterPause() {
    try (Relaying node = new Relaying(database, receivers, NO_SWEEP).started()) {
      int sink = begin(node, "a");
      Relaying.accept(database, "a", 1);
      until(() -> receiver.count() == 1);
      Relaying.await(node.sinks.pause(sink));
      until(() -> node.pumps.of(sink).sink().state() == SinkRow.State.PAUSED);
      Relaying.accept(database, "a", 1);
      untilOverdue();
      Relaying.await(node.sinks.resume(sink));
      until(() -> receiver.count() == 2);
    }
  }

  @Test
  @DisplayName("S3: what became due while this node could not look is found by its next look")
  void afterStandstill() {
    try (Relaying node = new Relaying(database, receivers, NO_SWEEP)) {
      begin(node, "a");
      receiver.behave(
          event -> Receiver.answer(new DeliveryResult.SinkFault("answered 500", true, null)));
      node.pass();
      Relaying.accept(database, "a", 1);
      node.pass();
      until(() -> database.number("SELECT count(*) FROM lane WHERE state = 'backoff'") == 1);
      receiver.behave(event -> Receiver.delivered());
      untilOverdue();
      node.pass();
      until(() -> receiver.count() == 1);
      assertEquals(2, receiver.calls());
    }
  }

  private void untilOverdue() {
    until(
        () ->
            database.number(
                    "SELECT count(*) FROM lane WHERE due_at < now() - interval '6 s'"
                        + " AND state <> 'leased'")
                == 1);
  }

  private static void until(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition);
  }
}
