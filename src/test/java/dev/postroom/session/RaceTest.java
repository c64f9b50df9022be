package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import dev.postroom.testkit.Seed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The same commands at once over both transports. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class RaceTest {
  private static final int COMMANDS = 1_000;
  private static final int COPIES = 5;
  private static final int CLIENTS = 8;

  @TestHTTPResource("/ws")
  URI ws;

  @TestHTTPResource("/api/rooms/")
  URI rooms;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName("A1, A2, A5, ACC-05, ACC-06, I1, I13: 1,000 commands, 5 copies each, 8 clients")
  void race() throws Exception {
    long seed = Seed.pick("race");
    List<Integer> copies = new ArrayList<>();
    for (int i = 0; i < COMMANDS * COPIES; i++) {
      copies.add(i % COMMANDS);
    }
    Collections.shuffle(copies, new Random(seed));
    String token = DevTokens.of("ann");
    Results results = new Results();
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    List<Future<?>> done = new ArrayList<>();
    for (int c = 0; c < CLIENTS; c++) {
      int part = copies.size() / CLIENTS;
      List<Integer> mine = copies.subList(c * part, (c + 1) * part);
      boolean http = c % 2 == 0;
      done.add(
          clients.submit(
              () -> {
                start.await();
                if (http) {
                  overHttp(token, mine, results);
                } else {
                  overWebSocket(token, mine, results);
                }
                return null;
              }));
    }
    start.countDown();
    for (Future<?> each : done) {
      each.get();
    }
    clients.shutdown();

    assertEquals(List.of(), List.copyOf(results.errors), "seed " + seed);
    assertEquals(COMMANDS, results.first.size(), "one first result a command, seed " + seed);
    assertEquals(COMMANDS * (COPIES - 1), results.duplicates.size());
    Set<Long> seqs = new HashSet<>();
    results.byId.values().forEach(all -> assertEquals(1, all.size(), "equal results: " + all));
    results.byId.values().forEach(all -> all.forEach(one -> seqs.add(one.seq)));
    assertEquals(COMMANDS, seqs.size());
    assertEquals(1, Collections.min(seqs));
    assertEquals(COMMANDS, Collections.max(seqs));
    long head =
        RestAssured.given()
            .header("Authorization", "Bearer " + token)
            .get(rooms + room)
            .then()
            .statusCode(200)
            .extract()
            .jsonPath()
            .getLong("head");
    assertEquals(COMMANDS, head);
  }

  private void overHttp(String token, List<Integer> commands, Results results) throws Exception {
    HttpClient http = HttpClient.newHttpClient();
    for (int command : commands) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(rooms + room + "/messages"))
              .header("Authorization", "Bearer " + token)
              .header("Idempotency-Key", "\"k" + command + "\"")
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString("{\"text\": \"text " + command + "\"}"))
              .build();
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      JsonNode ack = RoomClient.JSON.readTree(answer.body());
      if (answer.statusCode() != 200 && answer.statusCode() != 201) {
        results.errors.add(answer.body());
        continue;
      }
      boolean duplicate = answer.statusCode() == 200;
      assertEquals(duplicate, ack.path("duplicate").asBoolean());
      assertEquals(
          duplicate, answer.headers().firstValue("Idempotency-Replayed").orElse("").equals("true"));
      results.add(ack, duplicate);
    }
  }

  private void overWebSocket(String token, List<Integer> commands, Results results) {
    try (RoomClient client = RoomClient.joined(ws, token, room)) {
      for (int from = 0; from < commands.size(); from += 20) {
        List<Integer> burst = commands.subList(from, Math.min(from + 20, commands.size()));
        burst.forEach(command -> client.send(room, "k" + command, "text " + command));
        for (int answers = 0; answers < burst.size(); ) {
          JsonNode frame = client.next();
          String type = frame.path("type").asText();
          if (type.equals("ack")) {
            answers++;
            results.add(frame, frame.path("duplicate").asBoolean());
          } else if (type.equals("error")) {
            answers++;
            results.errors.add(frame.toString());
          }
        }
      }
    }
  }

  private record Result(String messageId, long seq, String epoch, String acceptedAt) {}

  private static final class Results {
    final Map<String, Set<Result>> byId = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<String> first = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<String> duplicates = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();

    void add(JsonNode ack, boolean duplicate) {
      String id = ack.path("clientMessageId").asText();
      Result result =
          new Result(
              ack.path("messageId").asText(),
              ack.path("seq").asLong(),
              ack.path("epoch").asText(),
              ack.path("acceptedAt").asText());
      byId.computeIfAbsent(id, k -> ConcurrentHashMap.newKeySet()).add(result);
      (duplicate ? duplicates : first).add(id);
      assertTrue(result.seq >= 1);
    }
  }
}
