package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.ReceiverInbox;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.Seed;
import dev.postroom.testkit.SinkApi;
import dev.postroom.testkit.TestPostgres;
import dev.postroom.testkit.WebhookTrap;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The long run: {@code -Dpostroom.soak=200000} messages to three sinks of which one is healthy, one
 * is slow and fails three times in ten and one is down in the middle third, over two nodes that are
 * killed five times each; and before it the same writing and the same kills with the healthy sink
 * alone and beside two as healthy as itself, so that its delay can be compared: what the second
 * differs by is the work of handing over three times as much on the same machine. Messages are
 * written at a fixed rate ({@code postroom.soak.rate} in a second): as fast as they can, the
 * writers would take the processors from the relay, and the delay would tell of the machine. Takes
 * some 30 minutes, so it is run when asked for; {@code postroom.soak.others} chooses one of the
 * three.
 */
@EnabledIfSystemProperty(named = "postroom.soak", matches = "\\d+")
class HandOverSoakIT {
  private static final int ROOMS = 2_000;
  private static final int WRITERS = 16;

  /** With 32 lanes of each node just faster than the writers and what is repeated. */
  private static final int SLOW_MS = 120;

  private final int kills = Integer.getInteger("postroom.soak.kills", 10);
  private final int rate = Integer.getInteger("postroom.soak.rate", 400);

  private final int messages = Integer.getInteger("postroom.soak", 0);
  private final AtomicInteger written = new AtomicInteger();

  @Test
  @DisplayName("H1–H5: every sink's inbox equals the log; the healthy one is not held up by others")
  void soak() throws Exception {
    for (String name :
        System.getProperty("postroom.soak.others", "NONE,HEALTHY,ILL").split(",", -1)) {
      Others others = Others.valueOf(name);
      System.out.printf(
          "soak: from acceptance to the healthy sink, %d kills, others %s: %s%n",
          kills, others, run(others));
    }
  }

  private enum Others {
    NONE,
    HEALTHY,
    /** One slow and failing, one down for a while. */
    ILL
  }

  private String run(Others others) throws Exception {
    written.set(0);
    try (TestPostgres postgres = TestPostgres.started();
        WebhookTrap healthy = WebhookTrap.open();
        WebhookTrap flaky = WebhookTrap.open();
        WebhookTrap dead = WebhookTrap.open()) {
      EmbeddedPg.Database database = postgres.database("soak");
      try (PostroomProcess one = node(database).start();
          PostroomProcess two = node(database).start()) {
        String token = new RoomApi(one.uri("/")).token("ann");
        SinkApi sinks = new SinkApi(one.uri("/"));
        Map<String, Long> arrived = new ConcurrentHashMap<>();
        healthy.answer(
            delivery -> {
              arrived.putIfAbsent(delivery.id(), System.currentTimeMillis());
              return WebhookTrap.Answer.status(204);
            });
        sinks.create("healthy", healthy.url("/"), "*");
        if (others == Others.ILL) {
          Random random = new Random(Seed.pick("hand-over soak"));
          flaky.answer(
              delivery ->
                  WebhookTrap.Answer.status(random.nextInt(10) < 3 ? 500 : 204)
                      .after(Duration.ofMillis(random.nextInt(SLOW_MS))));
        }
        if (others != Others.NONE) {
          sinks.create("flaky", flaky.url("/"), "*");
          sinks.create("dead", dead.url("/"), "*");
        }
        long start = System.nanoTime();
        List<Thread> writers = write(List.of(one, two), token);
        hurt(List.of(one, two), others == Others.ILL ? dead : null);
        for (Thread writer : writers) {
          writer.join();
        }
        List<WebhookTrap> all =
            others == Others.NONE ? List.of(healthy) : List.of(healthy, flaky, dead);
        Awaitility.await("all delivered")
            .atMost(Duration.ofMinutes(20))
            .pollInterval(Duration.ofSeconds(1))
            .until(
                () ->
                    written.get() == messages
                        && database.number(
                                "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM lane"
                                    + " WHERE state <> 'idle' OR next_seq <= known_seq)")
                            == 0);
        System.out.printf(
            "soak: %d messages to %d sinks in %.0f s%n",
            messages, all.size(), (System.nanoTime() - start) / 1e9);
        for (WebhookTrap trap : all) {
          check(trap, token, two);
        }
        return delay(healthy, arrived);
      }
    }
  }

  private static PostroomProcess node(EmbeddedPg.Database database) {
    return PostroomProcess.on(database)
        .env("POSTROOM_WEBHOOK_ALLOW", "127.0.0.0/8")
        .env("POSTROOM_SECRETS_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        .env("POSTROOM_ACCEPT_RATE", "0")
        .env("POSTROOM_RELAY_LEASE", "5S")
        .env("POSTROOM_RELAY_SWEEP", "5S")
        .env("POSTROOM_RELAY_CIRCUIT_MAX", "5S")
        // Enough steps that a lane which fails three times in ten never comes to the end of them.
        .env("POSTROOM_RELAY_SCHEDULE", "100MS," + "1S,".repeat(40) + "1S");
  }

  /** Each message by one writer, to whichever node answers, until it is acknowledged. */
  private List<Thread> write(List<PostroomProcess> nodes, String token) {
    List<Thread> writers = new ArrayList<>();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    for (int w = 0; w < WRITERS; w++) {
      Thread writer =
          new Thread(
              () -> {
                List<RoomApi> apis = nodes.stream().map(n -> new RoomApi(n.uri("/"))).toList();
                for (int n = next.getAndIncrement(); n < messages; n = next.getAndIncrement()) {
                  LockSupport.parkNanos(start + n * 1_000_000_000L / rate - System.nanoTime());
                  send(apis, token, n);
                }
              });
      writer.start();
      writers.add(writer);
    }
    return writers;
  }

  private void send(List<RoomApi> apis, String token, int n) {
    while (true) {
      try {
        RoomApi api = apis.get(ThreadLocalRandom.current().nextInt(apis.size()));
        if (api.send(token, "r" + n % ROOMS, "k" + n, "text " + n).statusCode() / 100 == 2) {
          written.incrementAndGet();
          return;
        }
      } catch (IOException away) {
        // The other node, then.
      }
    }
  }

  private void hurt(List<PostroomProcess> nodes, @Nullable WebhookTrap dead)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Thread outage =
        new Thread(
            () -> {
              until(messages / 3);
              if (dead != null) {
                dead.down();
              }
              until(2 * messages / 3);
              if (dead != null) {
                dead.up();
              }
              done.countDown();
            });
    outage.start();
    for (int kill = 0; kill < kills; kill++) {
      until(messages / (kills + 1) * (kill + 1));
      nodes.get(kill % 2).kill9();
      nodes.get(kill % 2).start();
    }
    done.await();
  }

  private void until(int count) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(20))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> written.get() >= count);
  }

  private void check(WebhookTrap trap, String token, PostroomProcess node) {
    ReceiverInbox inbox = ReceiverInbox.of(trap.deliveries());
    assertEquals(List.of(), inbox.faults());
    assertEquals(messages, inbox.size());
    RoomApi api = new RoomApi(node.uri("/"));
    IntStream.range(0, ROOMS)
        .filter(room -> room % 50 == 0)
        .forEach(
            room ->
                assertEquals(
                    api.messages(token, "r" + room).stream()
                        .map(message -> message.path("text").asText())
                        .toList(),
                    inbox.texts("r" + room)));
    System.out.printf("soak: %d deliveries, %d repeats%n", trap.size(), inbox.repeats());
  }

  private static String delay(WebhookTrap trap, Map<String, Long> arrived) {
    long[] delays =
        trap.deliveries().stream()
            .mapToLong(
                delivery ->
                    arrived.get(delivery.id())
                        - Instant.parse(ReceiverInbox.acceptedAt(delivery)).toEpochMilli())
            .sorted()
            .toArray();
    return String.format(
        "p50 %d ms, p90 %d ms, p99 %d ms, longest %d ms",
        at(delays, 0.5), at(delays, 0.9), at(delays, 0.99), at(delays, 1));
  }

  private static long at(long[] sorted, double share) {
    return sorted[(int) ((sorted.length - 1) * share)];
  }
}
