package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.LaneGate;
import dev.postroom.testkit.LaneGate.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two nodes, one of which has work that lasts longer than its lease. */
class LeaseTest {
  private static final Map<String, String> SHORT =
      Map.of(
          "postroom.relay.lease", "2S",
          "postroom.relay.sweep", "1S",
          "postroom.relay.event-faults", "1");

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");
  private final Held<DeliveryResult> held = new Held<>();
  private Relaying node;
  private LaneGate gate;

  @BeforeEach
  void start() {
    node = new Relaying(database, receivers, SHORT).started();
    gate = new LaneGate(database);
    node.sink("all", SinkRow.Poison.BLOCK, false, "*");
    Relaying.room(database, "slow");
  }

  @AfterEach
  void stop() {
    gate.open();
    node.close();
  }

  @Test
  @DisplayName("D1, D2, D9, R3: a slow answer: renewed meanwhile, taken by nobody, holds up nobody")
  void renewedWhileWorking() {
    receiver.behave(
        event -> event.room().value().equals("slow") ? held.uni() : Receiver.delivered());
    Relaying.accept(database, "slow", 3);
    until(() -> receiver.calls() == 1);
    try (Relaying second = new Relaying(database, receivers, SHORT).started()) {
      for (int i = 0; i < 49; i++) {
        Relaying.room(database, "quick" + i);
        Relaying.accept(database, "quick" + i, 1);
      }
      until(() -> receiver.count() == 49);
      // Twice its lease has passed since the claim.
      until(
          () ->
              database.number(
                      "SELECT count(*) FROM lane WHERE state = 'leased' AND due_at > (SELECT"
                          + " accepted_at + interval '6 s' FROM message WHERE room_no = 1"
                          + " AND seq = 1)")
                  == 1);
      assertEquals(50, receiver.calls(), "one in flight a lane, and once each");
      held.complete(new DeliveryResult.Delivered());
      until(() -> receiver.numbers("slow").equals(List.of(1L, 2L, 3L)));
      assertEquals(0, receiver.repeats());
      assertEquals(0, (int) second.meters.get("postroom.relay.taken.over").counter().count());
    }
  }

  @Test
  @DisplayName("S6: a claim that hangs is ended by the statement's timeout, and made again")
  void hangingClaim() {
    gate.close(Step.CLAIM);
    Relaying.accept(database, "slow", 2);
    gate.awaitReached(2);
    gate.open();
    until(() -> receiver.count() == 2);
    assertEquals(0, receiver.repeats());
  }

  @Test
  @DisplayName("S2: the connection is lost just as the lane is to be parked: no lock outlives it")
  void lostWhileParking() {
    gate.fail(Step.PARK, 1);
    receiver.behave(event -> Receiver.answer(new DeliveryResult.EventFault("answered 422")));
    Relaying.accept(database, "slow", 1);
    until(() -> database.number("SELECT count(*) FROM lane WHERE state = 'parked'") == 1);
    assertEquals(2, receiver.calls());
    until(() -> node.meters.get("postroom.relay.parked").counter().count() == 1);
  }

  private static void until(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
  }
}
