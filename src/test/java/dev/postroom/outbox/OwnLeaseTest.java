package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node that takes its own lane over: its lease had run out while the receiver was silent. */
class OwnLeaseTest {
  private static final Map<String, String> SHORT =
      Map.of("postroom.relay.lease", "2S", "postroom.relay.sweep", "1S");

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");
  private final Held<DeliveryResult> first = new Held<>();
  private final Held<DeliveryResult> second = new Held<>();

  @Test
  @DisplayName("D3, D6: the turn that lost the lease is not revived by the renewals of the other")
  void oneTurnALane() {
    receiver.behave(
        event ->
            switch (receiver.calls()) {
              case 1 -> first.uni();
              case 2 -> second.uni();
              default -> Receiver.delivered();
            });
    try (Relaying node = new Relaying(database, receivers, SHORT).started()) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.room(database, "a");
      Relaying.accept(database, "a", 3);
      until(() -> receiver.calls() == 1);
      until(
          () -> {
            database.execute("UPDATE lane SET due_at = now() - interval '1 s' WHERE token = 1");
            return receiver.calls() == 2;
          });
      long lease = lease();
      until(() -> lease() > lease);
      first.complete(new DeliveryResult.Delivered());
      until(() -> database.number("SELECT next_seq FROM lane") >= 2);
      assertEquals(2, receiver.calls(), "one in flight a lane");
      second.complete(new DeliveryResult.Delivered());
      until(() -> receiver.numbers("a").equals(List.of(1L, 2L, 3L)));
      assertEquals(1, receiver.repeats());
    }
  }

  private long lease() {
    return database.number("SELECT (extract(epoch FROM due_at) * 1000)::bigint FROM lane");
  }

  private static void until(Callable<Boolean> condition) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition);
  }
}
