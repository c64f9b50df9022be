package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.Member;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import dev.postroom.testkit.Seed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Joining, resuming, and what comes live behind the answer. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class ResumeSocketTest {
  @TestHTTPResource("/ws")
  URI uri;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName("R1: without a cursor the newest page, older ones are announced")
  void snapshotIsTheNewestPage() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      write(ann, 60);
      ann.join(room);
      JsonNode snapshot = ann.await("snapshot");
      assertEquals(50, snapshot.path("messages").size());
      assertEquals(11, snapshot.path("messages").get(0).path("seq").asInt());
      assertEquals(60, snapshot.path("after").asInt());
      assertTrue(snapshot.path("earlier").asBoolean());
    }
  }

  @Test
  @DisplayName("R1, REC-03: a cursor brings exactly what is missing")
  void deltaIsWhatIsMissing() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      String epoch = write(ann, 20).path("epoch").asText();
      ann.join(room, epoch, 17);
      JsonNode delta = ann.await("delta");
      assertEquals(List.of(18L, 19L, 20L), seqs(delta));
      assertEquals(20, delta.path("after").asInt());
      assertFalse(delta.path("more").asBoolean());
    }
  }

  @Test
  @DisplayName("REC-02, REC-04: nothing missed is an empty delta, not a reload")
  void nothingMissed() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      String epoch = write(ann, 3).path("epoch").asText();
      ann.join(room, epoch, 3);
      JsonNode delta = ann.await("delta");
      assertEquals(0, delta.path("messages").size());
      assertEquals(3, delta.path("after").asInt());
    }
  }

  @Test
  @DisplayName("REC-01: a long absence comes in pages without a hole")
  void longDelta() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      String epoch = write(ann, 1_010).path("epoch").asText();
      ann.join(room, epoch, 10);
      List<Long> got = new ArrayList<>();
      boolean more = true;
      while (more) {
        JsonNode delta = ann.await("delta");
        got.addAll(seqs(delta));
        more = delta.path("more").asBoolean();
      }
      List<Long> expected = new ArrayList<>();
      for (long seq = 11; seq <= 1_010; seq++) {
        expected.add(seq);
      }
      assertEquals(expected, got);
    }
  }

  @Test
  @DisplayName("R1, REC-10, REC-12: another epoch, none, or a cursor ahead is a snapshot")
  void cursorsThatDoNotFit() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      String epoch = write(ann, 3).path("epoch").asText();
      ann.join(room, "other", 2);
      assertEquals(epoch, ann.await("snapshot").path("epoch").asText());
      ann.join(room, "", 2);
      assertEquals(3, ann.await("snapshot").path("after").asInt());
      ann.join(room, epoch, 4);
      assertEquals(3, ann.await("snapshot").path("after").asInt());
    }
  }

  @Test
  @DisplayName("R4, REC-11: a room made again has another epoch; an old cursor gets a snapshot")
  void roomMadeAgain() {
    String token = DevTokens.of("ann", Map.of("*", "owner"));
    try (RoomClient ann = RoomClient.joined(uri, token, room)) {
      String epoch = write(ann, 5).path("epoch").asText();
      RestAssured.given()
          .header("Authorization", "Bearer " + token)
          .delete("/api/rooms/" + room)
          .then()
          .statusCode(204);
      assertEquals("room_closed", ann.await("left").path("reason").asText());

      ann.join(room, epoch, 5);
      JsonNode snapshot = ann.await("snapshot");
      assertNotEquals(epoch, snapshot.path("epoch").asText());
      assertEquals(0, snapshot.path("after").asInt());
      JsonNode ack = ann.sendAndAwait(room, "k1", "text 1");
      assertEquals(1, ack.path("seq").asInt());
      assertFalse(ack.path("duplicate").asBoolean());
    }
  }

  @Test
  @DisplayName("R2, ACC-18: joining a joined room is answered again, events come once")
  void joinAgain() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      for (int i = 0; i < 5; i++) {
        ann.join(room);
        ann.await("snapshot");
      }
      write(bob, 3);
      for (long seq = 1; seq <= 3; seq++) {
        assertEquals(seq, ann.await("message").path("seq").asLong());
      }
      ann.text("{\"type\":\"ping\"}");
      assertEquals("pong", ann.next().path("type").asText());
    }
  }

  @Test
  @DisplayName("R2, ORD-06, REC-14: joins under load: the answer first, then the rest, once")
  void joinsUnderLoad() {
    long seed = Seed.pick("joinsUnderLoad");
    Random random = new Random(seed);
    List<Member> writers = new ArrayList<>();
    for (int w = 0; w < 4; w++) {
      writers.add(new Member(uri, DevTokens.of("w" + w), room));
    }
    List<Member> readers = new ArrayList<>();
    String token = DevTokens.of("reader");
    for (int i = 0; i < 300; i++) {
      for (Member writer : writers) {
        writer.send("k" + i, "text");
      }
      if (random.nextInt(6) == 0) {
        readers.add(new Member(uri, token, room));
      }
      if (!readers.isEmpty() && random.nextInt(3) == 0) {
        readers.get(random.nextInt(readers.size())).cut();
      }
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                writers.stream().allMatch(Member::settled)
                    && readers.stream().allMatch(reader -> reader.after() == 1_200));
    for (Member member : concat(writers, readers)) {
      assertEquals(List.of(), member.wrongs(), "seed " + seed);
      member.close();
    }
  }

  @Test
  @DisplayName("R2: 50 joins at once are all answered")
  void fiftyJoinsAtOnce() {
    try (RoomClient ann = RoomClient.connect(uri, DevTokens.of("ann"))) {
      ann.await("welcome");
      for (int i = 0; i < 50; i++) {
        ann.join(room + "-" + i);
      }
      for (int i = 0; i < 50; i++) {
        assertEquals(room + "-" + i, ann.await("snapshot").path("room").asText());
      }
    }
  }

  /** Sends {@code count} messages and waits for them; the last ack. */
  private JsonNode write(RoomClient client, int count) {
    JsonNode ack = null;
    for (int i = 1; i <= count; i++) {
      client.send(room, "k" + i, "text " + i);
      if (i % 50 == 0 || i == count) {
        do {
          ack = client.await("ack");
        } while (ack.path("seq").asInt() < i);
      }
    }
    return ack;
  }

  private static List<Long> seqs(JsonNode frame) {
    List<Long> seqs = new ArrayList<>();
    frame.path("messages").forEach(message -> seqs.add(message.path("seq").asLong()));
    return seqs;
  }

  private static List<Member> concat(List<Member> a, List<Member> b) {
    List<Member> all = new ArrayList<>(a);
    all.addAll(b);
    return all;
  }
}
