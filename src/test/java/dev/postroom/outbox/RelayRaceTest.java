package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.Seed;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several nodes over one database, some of which die, with receivers that fail at random. */
class RelayRaceTest {
  private static final int ROOMS = 20;
  private static final Map<String, String> FAST =
      Map.of(
          "postroom.relay.lease", "2S",
          "postroom.relay.sweep", "1S",
          "postroom.relay.schedule", "20MS,20MS,20MS,20MS,20MS,20MS,20MS,20MS,20MS,20MS,20MS,20MS",
          "postroom.relay.circuit-max", "100MS",
          "postroom.relay.lane-events", "7");

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();

  @Test
  @DisplayName("H1–H4, R1, D1, D5: three nodes, six of them killed; every inbox equals the log")
  void race() {
    Random random = new Random(Seed.pick("relay race"));
    List<Relaying> nodes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      nodes.add(new Relaying(database, receivers, FAST).started());
    }
    for (int i = 0; i < ROOMS; i++) {
      Relaying.room(database, "r" + i);
    }
    List<String> sinks = List.of("healthy", "flaky", "down");
    sinks.forEach(sink -> nodes.get(0).sink(sink, SinkRow.Poison.BLOCK, false, "*"));
    receivers.of("flaky").behave(event -> flaky(random));
    receivers
        .of("down")
        .behave(event -> Receiver.answer(new DeliveryResult.SinkFault("refused", false, null)));
    long[] heads = new long[ROOMS];
    for (int step = 0; step < 600; step++) {
      int room = random.nextInt(ROOMS);
      int count = 1 + random.nextInt(5);
      Relaying.accept(database, "r" + room, count);
      heads[room] += count;
      nodes.get(random.nextInt(3)).relay.nudge();
      if (step % 100 == 60) {
        int victim = random.nextInt(3);
        nodes.get(victim).kill();
        nodes.set(victim, new Relaying(database, receivers, FAST).started());
      }
      if (step == 400) {
        receivers.of("down").behave(event -> Receiver.delivered());
      }
    }
    long total = LongStream.of(heads).sum();
    for (String sink : sinks) {
      Receiver receiver = receivers.of(sink);
      Awaitility.await()
          .alias(sink)
          .atMost(Duration.ofSeconds(90))
          .until(() -> receiver.count() == total);
      assertEquals(List.of(), receiver.disorder());
      for (int room = 0; room < ROOMS; room++) {
        assertEquals(
            LongStream.rangeClosed(1, heads[room]).boxed().toList(),
            receiver.numbers("r" + room),
            sink);
      }
      System.out.printf(
          "relay race: %s took %d events, %d repeats%n", sink, total, receiver.repeats());
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> database.number("SELECT count(*) FROM lane WHERE state <> 'idle'") == 0);
    assertEquals(0, database.number("SELECT count(*) FROM outbox"));
    nodes.forEach(Relaying::close);
  }

  private static Uni<DeliveryResult> flaky(Random random) {
    int die;
    synchronized (random) {
      die = random.nextInt(10);
    }
    if (die == 0) {
      return Uni.createFrom().failure(new IllegalStateException("ours"));
    }
    if (die < 3) {
      return Receiver.answer(new DeliveryResult.SinkFault("answered 500", true, null));
    }
    return Receiver.delivered();
  }
}
