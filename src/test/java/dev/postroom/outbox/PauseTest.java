package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PauseTest {
  private static final int ROOMS = 20;
  private static final int MESSAGES = 3;

  /** Longer than a look for work looks back, so that the sweep is not what finds the others. */
  private static final Duration ASKED = Duration.ofSeconds(6);

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();

  @Test
  @DisplayName("H4, C3: a room that asks for a pause each time holds up the others once")
  void oneRoomAsks() {
    AtomicInteger asked = new AtomicInteger();
    Receiver receiver = receivers.of("all");
    receiver.behave(
        event -> {
          if (event.room().value().equals("asks")) {
            asked.incrementAndGet();
            return Receiver.answer(new DeliveryResult.SinkFault("answered 503", true, ASKED));
          }
          return Receiver.delivered();
        });
    try (Relaying node =
        new Relaying(database, receivers, Map.of("postroom.relay.sweep", "1H")).started()) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.room(database, "asks");
      Relaying.accept(database, "asks", 1);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> asked.get() == 1);
      for (int i = 0; i < ROOMS; i++) {
        Relaying.room(database, "r" + i);
        Relaying.accept(database, "r" + i, MESSAGES);
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> receiver.count() == ROOMS * MESSAGES);
      assertTrue(asked.get() <= 2, () -> "asked " + asked);

      // From now on its asking is its own: it is charged, and the others go on beside it.
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .until(
              () ->
                  database.number(
                          """
                          SELECT count(*) FROM lane JOIN room ON room.no = lane.room_no
                           WHERE room.id = 'asks' AND tries >= 1
                          """)
                      == 1);
      int before = asked.get();
      Relaying.accept(database, "r0", 1);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> receiver.count() == ROOMS * MESSAGES + 1);
      assertEquals(before, asked.get());
    }
  }
}
