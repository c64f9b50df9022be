package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.RoomClient;
import dev.postroom.testkit.Sender;
import dev.postroom.testkit.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The database is frozen, and then cut off and restarted, under load from 20 clients. */
class DatabaseAwayIT {
  private static final int MEMBERS = 12;
  private static final int POSTERS = 8;
  private static final int ROOMS = 4;
  private static final Duration FROZEN = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String[] TRY_AGAIN = {"unavailable", "busy"};

  /** Bounded caches may still fill up; what queues without a bound would be more. */
  private static final long FLAT_BYTES = 64L << 20;

  private final TestPostgres postgres = TestPostgres.started();
  private final PostroomProcess postroom =
      PostroomProcess.on(postgres.database("rooms")).unbounded().jvm("-Xmx256m").start();
  private final RoomApi api = new RoomApi(postroom.uri("/"));
  private final String token = api.token("auditor");
  private final Load load = new Load();
  private final HealthWatch health = new HealthWatch(postroom);

  @Test
  @DisplayName("S1, S3, A4, A8, N1: frozen for 10 s, then restarted without a checkpoint")
  void databaseAway() throws Exception {
    try (postgres;
        postroom;
        health;
        load) {
      begin();
      load.awaitAcks(2_000);
      long before = heapAfterCollection();

      freeze();
      restart();

      load.awaitAcks(1_000);
      load.finish();
      long messages = load.prove(api, token);
      long after = heapAfterCollection();
      assertEquals(List.of(200), health.live(), "liveness");
      assertTrue(after - before < FLAT_BYTES, "heap went from " + before + " to " + after);
      assertEquals("", errorsLogged());
      System.out.printf(
          "%d messages, refusals %s, readiness %s, heap %d KiB, then %d KiB%n",
          messages, load.refusals(), health.ready(), before >> 10, after >> 10);
    }
  }

  private void begin() {
    URI ws = URI.create("ws://127.0.0.1:" + postroom.port() + "/ws");
    for (int room = 0; room < ROOMS; room++) {
      api.make(token, "case-" + room);
    }
    for (int i = 0; i < MEMBERS; i++) {
      String participant = "member-" + i;
      load.member(List.of(ws), api.token(participant), participant, "case-" + i % ROOMS, 4);
    }
    for (int i = 0; i < POSTERS; i++) {
      String participant = "poster-" + i;
      load.poster(postroom.uri("/"), api.token(participant), participant, "case-" + i % ROOMS);
    }
  }

  private void freeze() throws IOException {
    int overSocket = Load.refusals(load.members(), TRY_AGAIN);
    int overHttp = Load.refusals(load.posters(), TRY_AGAIN);
    long since = System.nanoTime();
    postgres.pause();
    awaitReady(503);
    // Come back while it is away: their joins too have to be tried again.
    load.members().subList(0, 3).forEach(member -> member.cut());
    assertRefused();
    awaitRefusals(load.members(), overSocket);
    awaitRefusals(load.posters(), overHttp);
    System.out.printf("answered after %.1f s%n", (System.nanoTime() - since) / 1e9);
    Awaitility.await().atMost(PATIENCE).until(() -> System.nanoTime() - since >= FROZEN.toNanos());
    System.out.printf(
        "frozen for %.1f s, refusals %s%n", (System.nanoTime() - since) / 1e9, load.refusals());
    postgres.resume();
    awaitReady(200);
    load.awaitAcks(1_000);
  }

  /** A new command is answered, and the answer says that it may be tried again. */
  private void assertRefused() throws IOException {
    HttpResponse<String> answer = api.send(token, "case-apart", "k", "text");
    JsonNode problem = RoomClient.JSON.readTree(answer.body());
    assertEquals(503, answer.statusCode(), answer.body());
    assertTrue(problem.path("temporary").asBoolean(), answer.body());
    assertTrue(problem.path("retryAfterMs").asLong() > 0, answer.body());
  }

  private static void awaitRefusals(List<? extends Sender> senders, int before) {
    Awaitility.await("answers while the database does not answer")
        .atMost(PATIENCE)
        .until(() -> Load.refusals(senders, TRY_AGAIN) > before);
  }

  private void restart() {
    postgres.stopImmediately();
    awaitReady(503);
    postgres.start();
    awaitReady(200);
  }

  private void awaitReady(int status) {
    Awaitility.await("ready answers " + status)
        .atMost(PATIENCE)
        .until(() -> postroom.status("/q/health/ready") == status);
  }

  private long heapAfterCollection() throws IOException, InterruptedException {
    jcmd("GC.run");
    return jcmd("GC.heap_info")
        .lines()
        .filter(line -> line.contains("heap") && line.contains("used "))
        .mapToLong(line -> Long.parseLong(line.replaceAll(".*used (\\d+)K.*", "$1")) << 10)
        .sum();
  }

  private String jcmd(String command) throws IOException, InterruptedException {
    String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process jcmd =
        new ProcessBuilder(program, Long.toString(postroom.pid()), command)
            .redirectErrorStream(true)
            .start();
    try (InputStream output = jcmd.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, jcmd.waitFor(), text);
      return text;
    }
  }

  private String errorsLogged() {
    return (postroom.output() + postroom.errors())
        .lines()
        .filter(line -> line.contains(" ERROR ") || line.contains("Unforeseen"))
        .reduce("", (a, b) -> a + "\n" + b);
  }
}
