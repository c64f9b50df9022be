package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** H4, P3: a sink that breaks our own code holds up nobody but itself. */
class BrokenSinkTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();

  @Test
  @DisplayName("P3: a sink that cannot be opened; the others get theirs")
  void cannotBeOpened() {
    SinkType type =
        new SinkType() {
          @Override
          public String name() {
            return receivers.name();
          }

          @Override
          public @Nullable String wrong(String target) {
            return null;
          }

          @Override
          public Sink open(SinkRow settings) {
            if (settings.target().equals("broken")) {
              throw new IllegalStateException("thrown by the test");
            }
            return receivers.open(settings);
          }
        };
    Relaying.room(database, "a");
    try (Relaying node = new Relaying(database, type, Map.of()).started()) {
      node.sink("broken", SinkRow.Poison.BLOCK, false, "*");
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.accept(database, "a", 2);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> receivers.of("all").count() == 2);
      assertEquals(1, database.number("SELECT count(*) FROM lane WHERE state = 'ready'"));
    }
  }

  @Test
  @DisplayName("H1, S13: a probe that came to nothing is followed by another")
  void probeWithoutResult() {
    Receiver receiver = receivers.of("all");
    receiver.behave(
        event ->
            Receiver.answer(
                receiver.calls() <= 5
                    ? new DeliveryResult.SinkFault("connection refused", false, null)
                    : new DeliveryResult.Gone("answered 410")));
    Relaying.room(database, "a");
    try (Relaying node =
        new Relaying(database, receivers, Map.of("postroom.relay.circuit-max", "20MS")).started()) {
      int sink = node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.accept(database, "a", 2);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> database.number("SELECT count(*) FROM sink WHERE state = 'disabled'") == 1);
      receiver.behave(event -> Receiver.delivered());
      Relaying.await(node.sinks.resume(sink));
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.count() == 2);
    }
  }

  @Test
  @DisplayName("H6: a sink that throws is as one that fails: tried again, and its lane is not held")
  void throwsAtOnce() {
    Receiver receiver = receivers.of("all");
    receiver.behave(
        event -> {
          if (receiver.calls() < 3) {
            throw new IllegalStateException("thrown by the test");
          }
          return Receiver.delivered();
        });
    for (String room : new String[] {"a", "b", "c"}) {
      Relaying.room(database, room);
    }
    try (Relaying node = new Relaying(database, receivers, Map.of()).started()) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.accept(database, "a", 2);
      Relaying.accept(database, "b", 2);
      Relaying.accept(database, "c", 2);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.count() == 6);
    }
  }
}
