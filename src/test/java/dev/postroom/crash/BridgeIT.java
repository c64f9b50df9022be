package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.Seed;
import dev.postroom.testkit.SinkApi;
import dev.postroom.testkit.TestPostgres;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A bridge: a webhook sink of one service that points at an inbound source of another. Both are
 * killed by chance, under load, and the mirror has every message once and in order.
 */
class BridgeIT {
  private static final int ROOMS = 3;
  private static final int KILLS = 5;
  private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  private final TestPostgres postgres = TestPostgres.started();
  private final PostroomProcess original = service("original");
  private final PostroomProcess mirror = service("mirror");
  private final RoomApi originalApi = new RoomApi(original.uri("/"));
  private final RoomApi mirrorApi = new RoomApi(mirror.uri("/"));

  private PostroomProcess service(String name) {
    return PostroomProcess.on(postgres.database(name))
        .env("POSTROOM_SECRETS_KEY", KEY)
        .env("POSTROOM_WEBHOOK_ALLOW", "127.0.0.0/8")
        .env("POSTROOM_ACCEPT_RATE", "0")
        // What is away for seconds here is looked for again as soon.
        .env("POSTROOM_RELAY_LEASE", "3S")
        .env("POSTROOM_RELAY_SWEEP", "1S")
        .env("POSTROOM_RELAY_CIRCUIT_MAX", "1S")
        .env("POSTROOM_RELAY_SCHEDULE", "1S,".repeat(29) + "1S");
  }

  @BeforeEach
  void start() {
    original.start();
    JsonNode sink =
        new SinkApi(original.uri("/"))
            .create("mirror", mirror.uri("/api/inbound/bridge").toString(), "case-*");
    mirror
        .env("POSTROOM_INBOUND_BRIDGE_SECRETS", sink.path("secret").asText())
        .env("POSTROOM_INBOUND_BRIDGE_ROOM", "{/data/room}")
        .env("POSTROOM_INBOUND_BRIDGE_PARTICIPANT", "mirror:{/data/author/id}")
        .env("POSTROOM_INBOUND_BRIDGE_NAME", "{/data/author/name}")
        .start();
  }

  @AfterEach
  void stop() {
    original.close();
    mirror.close();
    postgres.close();
  }

  @Test
  @DisplayName("H1, H3, H5: both killed by chance: the mirror has every message once and in order")
  void mirrored() {
    Random random = new Random(Seed.pick("BridgeIT"));
    String owner = originalApi.token("owner", Map.of("case-*", "owner"));
    List<String> rooms = IntStream.range(0, ROOMS).mapToObj(n -> "case-" + n).toList();
    rooms.forEach(room -> originalApi.make(owner, room));
    try (Load load = new Load()) {
      for (String room : rooms) {
        for (String who : List.of("ann", "ben")) {
          String token = originalApi.token(who, Map.of("case-*", "writer"));
          load.poster(original.uri("/"), token, who, room);
        }
      }
      load.awaitAcks(50);
      for (int kill = 0; kill < KILLS; kill++) {
        PostroomProcess victim = random.nextBoolean() ? original : mirror;
        victim.kill9();
        if (random.nextInt(4) == 0) {
          other(victim).kill9();
        }
        revive();
        load.awaitAcks(20 + random.nextInt(100));
      }
      load.finish();
      long messages = load.prove(originalApi, owner);
      assertTrue(messages > 100, "messages: " + messages);
    }
    for (String room : rooms) {
      assertMirrored(room, owner);
    }
  }

  private PostroomProcess other(PostroomProcess one) {
    return one == original ? mirror : original;
  }

  private void revive() {
    List<PostroomProcess> dead =
        List.of(original, mirror).stream().filter(each -> !each.alive()).toList();
    dead.forEach(PostroomProcess::launch);
    dead.forEach(PostroomProcess::awaitReady);
  }

  private void assertMirrored(String room, String owner) {
    List<JsonNode> wanted = originalApi.messages(owner, room);
    String reader = mirrorApi.token("reader", Map.of("case-*", "reader"));
    Awaitility.await(room + " mirrored")
        .atMost(Duration.ofMinutes(2))
        .until(() -> mirrorApi.messages(reader, room).size() >= wanted.size());
    List<JsonNode> found = mirrorApi.messages(reader, room);
    assertEquals(lines(wanted, "mirror:"), lines(found, ""));
    JsonNode audit = mirrorApi.audit(reader, room);
    assertTrue(audit.path("clean").asBoolean(), audit.toString());
  }

  /** Number, author and text of each message, one a line. */
  private static String lines(List<JsonNode> messages, String before) {
    return messages.stream()
        .map(
            message ->
                message.path("seq").asLong()
                    + " "
                    + before
                    + message.path("author").path("id").asText()
                    + " "
                    + message.path("author").path("name").asText()
                    + " "
                    + message.path("text"))
        .collect(Collectors.joining("\n"));
  }
}
