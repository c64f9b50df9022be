package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** In which order lanes and their events have their turn, and when a lane's turns end. */
class LaneOrderTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");

  private Relaying node(Map<String, String> settings) {
    Relaying node = new Relaying(database, receivers, settings).started();
    node.sink("all", SinkRow.Poison.BLOCK, false, "*");
    return node;
  }

  @Test
  @DisplayName("R5, C1: events leave by their number, whatever the clocks said")
  void clocks() {
    Relaying.room(database, "a");
    try (Relaying node = node(Map.of("postroom.relay.enabled", "true"))) {
      Relaying.await(node.sinks.pause(1));
      Relaying.accept(database, "a", 50);
      database.execute(
          "UPDATE message SET accepted_at = now() + make_interval(mins => 5 - 10 * (seq::int % 2))");
      Relaying.await(node.sinks.resume(1));
      until(() -> receiver.count() == 50);
      assertEquals(LongStream.rangeClosed(1, 50).boxed().toList(), receiver.numbers("a"));
    }
  }

  @Test
  @DisplayName("C7: a room of one message does not wait for a room of thousands")
  void fair() {
    Relaying.room(database, "long");
    Relaying.room(database, "short");
    AtomicInteger before = new AtomicInteger(-1);
    receiver.behave(
        event -> {
          if (event.room().value().equals("short")) {
            before.set(receiver.numbers("long").size());
          } else if (event.seq() == 1) {
            // While the long one has its first turn, the only place is taken.
            Relaying.accept(database, "short", 1);
          }
          return Receiver.delivered();
        });
    try (Relaying node = node(Map.of("postroom.relay.lanes-per-sink", "1"))) {
      Relaying.accept(database, "long", 3_000);
      node.relay.nudge();
      until(() -> receiver.count() == 3_001);
      assertTrue(before.get() >= 0 && before.get() <= 1_500, () -> before + " came before");
    }
  }

  @Test
  @DisplayName("W7, H6: one room is answered 500 for ever: the schedule ends in a parked lane")
  void scheduleEnds() {
    Relaying.room(database, "bad");
    Relaying.room(database, "good");
    receiver.behave(
        event ->
            event.room().value().equals("bad")
                ? Receiver.answer(new DeliveryResult.SinkFault("answered 500", true, null))
                : Receiver.delivered());
    try (Relaying node = node(Map.of("postroom.relay.schedule", "10MS,10MS,10MS"))) {
      Relaying.accept(database, "bad", 2);
      Relaying.accept(database, "good", 2);
      until(
          () ->
              database.number(
                      "SELECT count(*) FROM lane WHERE state = 'parked' AND tries = 4 AND"
                          + " event_faults = 0 AND last_error = 'answered 500' AND next_seq = 1")
                  == 1);
      until(() -> receiver.numbers("good").equals(List.of(1L, 2L)));
      assertEquals(List.of(), receiver.numbers("bad"));
      assertEquals(1, (int) node.meters.get("postroom.relay.parked").counter().count());
    }
  }

  private static void until(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
  }
}
