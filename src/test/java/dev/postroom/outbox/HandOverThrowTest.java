package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.CommitCutter;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.HandOverPoint;
import dev.postroom.testkit.LaneGate;
import dev.postroom.testkit.LaneGate.Step;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Between every two steps of handing over something throws, twice. Each time nothing is lost, first
 * deliveries are in order, and only what was sent without a mark comes again (H2).
 */
class HandOverThrowTest {
  private static final int THROWS = 2;

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");
  private final AtomicInteger thrown = new AtomicInteger();
  private final Held<DeliveryResult> held = new Held<>();
  private LaneGate gate;
  private CommitCutter cutter;
  private Relaying node;

  @BeforeEach
  void start() throws IOException {
    cutter = new CommitCutter(database.port());
    node =
        new Relaying(
                database,
                new EmbeddedPg.Database(cutter.port(), database.name()).connectOptions(),
                receivers,
                Map.of("postroom.relay.lease", "2S", "postroom.relay.sweep", "1S"))
            .started();
    gate = new LaneGate(database);
    Relaying.room(database, "a");
    node.sink("all", SinkRow.Poison.BLOCK, false, "*");
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
    cutter.close();
  }

  @ParameterizedTest
  @DisplayName("H1, H2, H3, L10, D10: thrown between every two steps")
  @EnumSource(HandOverPoint.class)
  void thrown(HandOverPoint point) {
    arm(point);
    Relaying.accept(database, "a", 3);
    during(point);

    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                database.number("SELECT count(*) FROM lane WHERE state = 'idle' AND next_seq = 4")
                    == 1);

    assertEquals(List.of(1L, 2L, 3L), receiver.numbers("a"));
    assertEquals(List.of(), receiver.disorder());
    assertEquals(0, database.number("SELECT tries + event_faults FROM lane"));
    assertEquals(0, database.number("SELECT count(*) FROM outbox"));
    // Marks are not waited for: a lost one is of all that was answered meanwhile.
    int most = point.isSentUnmarked() ? THROWS * 3 : 0;
    assertTrue(receiver.repeats() <= most, () -> receiver.repeats() + " repeats");
  }

  private void arm(HandOverPoint point) {
    switch (point) {
      case BEFORE_CLAIM -> gate.fail(Step.CLAIM, THROWS);
      case AFTER_CLAIM -> gate.fail(Step.CLAIMED, THROWS);
      case BEFORE_BYTES -> receiver.behave(event -> fails() ? failure() : Receiver.delivered());
      case BEFORE_ANSWER ->
          receiver.behave(
              event -> {
                if (fails()) {
                  receiver.apply(event);
                  return failure();
                }
                return Receiver.delivered();
              });
      case BEFORE_MARK -> gate.fail(Step.MARK, THROWS);
      case AFTER_MARK ->
          receiver.behave(event -> event.seq() > 1 && fails() ? failure() : Receiver.delivered());
      case LEASE_RENEW -> {
        gate.fail(Step.RENEW, THROWS);
        receiver.behave(event -> event.seq() == 1 ? held.uni() : Receiver.delivered());
      }
      case LEASE_LOST ->
          receiver.behave(event -> event.seq() == 1 ? held.uni() : Receiver.delivered());
      case SETTLE_LOST ->
          receiver.behave(
              event -> {
                if (fails()) {
                  // The mark is the next that is committed: written, and nobody is told.
                  cutter.arm(CommitCutter.Cut.BEFORE_ANSWER);
                }
                return Receiver.delivered();
              });
    }
  }

  private void during(HandOverPoint point) {
    if (point == HandOverPoint.LEASE_RENEW) {
      gate.awaitReached(THROWS + 1);
      held.complete(new DeliveryResult.Delivered());
    } else if (point == HandOverPoint.LEASE_LOST) {
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.calls() == 1);
      database.execute("UPDATE lane SET token = token + 1");
      held.complete(new DeliveryResult.Delivered());
    }
  }

  private boolean fails() {
    return thrown.getAndIncrement() < THROWS;
  }

  private static Uni<DeliveryResult> failure() {
    return Uni.createFrom().failure(new IllegalStateException("thrown by the test"));
  }
}
