package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S4: a node that is told to stop, with 200 deliveries in flight. */
class RelayStopTest {
  private static final int ROOMS = 200;

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();

  @Test
  @DisplayName(
      "S4, C2, D11: what is in flight ends and is marked, leases are given back, no repeat")
  void stops() {
    Held<DeliveryResult> held = new Held<>();
    receivers.of("all").behave(event -> held.uni());
    Relaying node =
        new Relaying(
                database, receivers, Map.of("postroom.relay.lanes-per-sink", String.valueOf(ROOMS)))
            .started();
    node.sink("all", SinkRow.Poison.BLOCK, false, "*");
    for (int i = 0; i < ROOMS; i++) {
      Relaying.room(database, "r" + i);
      Relaying.accept(database, "r" + i, 2);
    }
    until(() -> receivers.of("all").calls() == ROOMS);

    node.relay.stopClaiming();
    CompletableFuture<Void> quiet = CompletableFuture.runAsync(node.relay::awaitQuiet);
    held.complete(new DeliveryResult.Delivered());
    quiet.join();
    node.testDb.close();

    // One each: nothing new was begun, nothing is held, and all that was answered is marked.
    assertEquals(ROOMS, receivers.of("all").calls());
    assertEquals(
        ROOMS, database.number("SELECT count(*) FROM lane WHERE state = 'ready' AND next_seq = 2"));
    try (Relaying next = new Relaying(database, receivers, Map.of()).started()) {
      until(() -> receivers.of("all").count() == 2 * ROOMS);
      assertEquals(0, (int) next.meters.get("postroom.relay.taken.over").counter().count());
    }
    assertEquals(0, receivers.of("all").repeats());
  }

  private static void until(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
  }
}
