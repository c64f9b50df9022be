package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What was handed over and waits for its mark. */
class UnmarkedTest {
  private static final int ROOMS = 6;

  /** Of one lane that may be calling. */
  private static final int HELD = 4;

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");

  @Test
  @DisplayName("H4: a mark that waits holds up no other lane; unmarked ones are bounded")
  void othersGoOn() throws Exception {
    CountDownLatch bound = new CountDownLatch(HELD);
    AtomicInteger most = new AtomicInteger();
    try (Connection holder = database.connect();
        Relaying node =
            new Relaying(database, receivers, Map.of("postroom.relay.lanes-per-sink", "1"))) {
      holder.setAutoCommit(false);
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      for (int i = 0; i < ROOMS; i++) {
        Relaying.room(database, "r" + i);
        Relaying.accept(database, "r" + i, 1);
      }
      Relaying.await(node.outbox.ring(0));
      receiver.behave(
          event -> {
            if (receiver.calls() == 1) {
              lock(holder, event.room().value());
            }
            most.accumulateAndGet(node.leases.held(), Math::max);
            bound.countDown();
            return Receiver.delivered();
          });
      node.started();
      Assertions.assertTrue(bound.await(30, TimeUnit.SECONDS), "the others wait for the mark");
      holder.rollback();
      Awaitility.await().until(() -> receiver.count() == ROOMS);
      Awaitility.await()
          .until(() -> database.number("SELECT count(*) FROM lane WHERE state <> 'idle'") == 0);
      assertEquals(HELD, most.get());
      assertEquals(0, receiver.repeats());
      assertEquals(0, (int) node.meters.get("postroom.relay.settle.lost").counter().count());
    }
  }

  private static void lock(Connection holder, String room) {
    try {
      holder
          .createStatement()
          .execute(
              "SELECT 1 FROM lane JOIN room ON no = room_no AND id = '"
                  + room
                  + "' FOR UPDATE OF lane");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
