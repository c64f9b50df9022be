package dev.postroom.figures;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.SinkApi;
import dev.postroom.testkit.WebhookTrap;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/**
 * How fast events leave: drained to one local receiver from 1, 100 and 10,000 rooms, and one at a
 * time while nothing else happens. Run by hand, with {@code -Dpostroom.jar} naming the packaged
 * service; the receiver shares the machine.
 */
public final class HandOverLoad {
  private static final int EVENTS = 50_000;
  private static final int SINGLE = 500;

  private HandOverLoad() {}

  public static void main(String... arguments) throws Exception {
    for (int rooms : new int[] {1, 100, 10_000}) {
      drain(rooms);
    }
    latency();
    System.exit(0);
  }

  private static PostroomProcess node(EmbeddedPg.Database database) {
    return PostroomProcess.on(database)
        .env("POSTROOM_WEBHOOK_ALLOW", "127.0.0.0/8")
        .env("POSTROOM_SECRETS_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        .env("POSTROOM_ACCEPT_RATE", "0")
        .start();
  }

  private static void drain(int rooms) throws InterruptedException {
    EmbeddedPg.Database database = EmbeddedPg.emptyDatabase();
    try (PostroomProcess node = node(database);
        WebhookTrap trap = WebhookTrap.open()) {
      SinkApi sinks = new SinkApi(node.uri("/"));
      String sink = sinks.create("trap", trap.url("/"), "*").path("id").asText();
      sinks.call("POST", sink, "/pause", Map.of());
      fill(database, rooms);
      while (database.number("SELECT count(*) FROM outbox") > 0) {
        TimeUnit.MILLISECONDS.sleep(100); // a tool, not a test
      }
      long start = System.nanoTime();
      sinks.call("POST", sink, "/resume", Map.of());
      while (trap.size() < EVENTS) {
        TimeUnit.MILLISECONDS.sleep(20); // a tool, not a test
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "%d events of %d rooms drained in %.1f s: %.0f/s%n",
          EVENTS, rooms, seconds, EVENTS / seconds);
    }
  }

  private static void fill(EmbeddedPg.Database database, int rooms) {
    database.execute(
        "INSERT INTO room (id, nonce) SELECT 'r' || n, 7 FROM generate_series(1, %d) n"
            .formatted(rooms));
    int perRoom = EVENTS / rooms;
    database.execute(
        """
        WITH bumped AS (UPDATE room SET head = %1$d RETURNING no),
        rung AS (INSERT INTO outbox (room_no, first_seq, last_seq) SELECT no, 1, %1$d FROM bumped)
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT no, n, gen_random_uuid(), 'ann', 'k' || n, 'Ann',
               (SELECT max(no) FROM lineage), 1, '\\x00', repeat('x', 100), now()
          FROM bumped, generate_series(1, %1$d) n
        """
            .formatted(perRoom));
    database.execute("VACUUM ANALYZE");
  }

  private static void latency() throws IOException, InterruptedException {
    EmbeddedPg.Database database = EmbeddedPg.emptyDatabase();
    try (PostroomProcess node = node(database);
        WebhookTrap trap = WebhookTrap.open()) {
      JsonNode made = new SinkApi(node.uri("/")).create("trap", trap.url("/"), "*");
      RoomApi api = new RoomApi(node.uri("/"));
      String token = api.token("ann");
      api.make(token, "r");
      SynchronousQueue<Long> arrived = new SynchronousQueue<>();
      Thread watcher = new Thread(() -> watch(trap, arrived));
      watcher.setDaemon(true);
      watcher.start();
      long[] fromSend = new long[SINGLE];
      for (int i = 0; i < SINGLE; i++) {
        long start = System.nanoTime();
        api.send(token, "r", "k" + i, "one at a time");
        fromSend[i] = arrived.take() - start;
      }
      long[] warm = Arrays.copyOfRange(fromSend, SINGLE / 5, SINGLE);
      Arrays.sort(warm);
      System.out.printf(
          "sink %s: from the request to the receiver, idle: p50 %.1f ms, p99 %.1f ms, max %.1f ms%n",
          made.path("id").asText(),
          warm[warm.length / 2] / 1e6,
          warm[warm.length * 99 / 100] / 1e6,
          warm[warm.length - 1] / 1e6);
    }
  }

  private static void watch(WebhookTrap trap, SynchronousQueue<Long> arrived) {
    trap.answer(
        delivery -> {
          long now = System.nanoTime();
          new Thread(() -> put(arrived, now)).start();
          return WebhookTrap.Answer.status(204);
        });
  }

  private static void put(SynchronousQueue<Long> arrived, long at) {
    try {
      arrived.put(at);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
