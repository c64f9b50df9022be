package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.Member;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Coming back with a cursor in the ways in which others lost events. */
@QuarkusTest
@TestProfile(CursorCasesTest.ShortMemory.class)
@QuarkusTestResource(PgResource.class)
class CursorCasesTest {
  private static final int RING = 5;

  /** Few messages in memory, and not for long; the delta limit is the default. */
  public static final class ShortMemory implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "postroom.fanout.recent-messages", String.valueOf(RING),
          "postroom.fanout.linger", "100ms",
          "postroom.accept.rate", "0");
    }
  }

  @TestHTTPResource("/ws")
  URI uri;

  @Inject MeterRegistry meters;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName("REC-03: join an empty room, drop, one message meanwhile: a delta of that one")
  void nothingReceivedYet() {
    JsonNode snapshot;
    try (RoomClient ann = RoomClient.connect(uri, DevTokens.of("ann"))) {
      ann.await("welcome");
      ann.join(room);
      snapshot = ann.next();
      assertEquals("snapshot", snapshot.path("type").asText(), snapshot.toString());
      assertEquals(0, snapshot.path("after").asInt());
      assertTrue(snapshot.path("messages").isEmpty());
      assertFalse(snapshot.path("epoch").asText().isEmpty());
    }
    try (RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      bob.sendAndAwait(room, "k1", "meanwhile");
    }
    try (RoomClient ann = RoomClient.connect(uri, DevTokens.of("ann"))) {
      ann.await("welcome");
      ann.join(room, snapshot.path("epoch").asText(), 0);
      assertDelta(ann.next(), room, 1, 1);
    }
  }

  @Test
  @DisplayName("REC-04: what was missed is older than what is in memory: recovered all the same")
  void olderThanTheMemory() {
    int head = 4 * RING;
    String epoch;
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      epoch = write(ann, room, 1, head);
      // The ring has wrapped, the lane is open.
      assertDelta(joinedAgain(epoch, head), room, head + 1, head);
      assertDelta(joinedAgain(epoch, 2), room, 3, head);
    }
    Awaitility.await("the room has left the memory")
        .until(() -> meters.get("postroom.fanout.rooms").gauge().value() == 0);
    assertDelta(joinedAgain(epoch, head), room, head + 1, head);
    Awaitility.await().until(() -> meters.get("postroom.fanout.rooms").gauge().value() == 0);
    assertDelta(joinedAgain(epoch, 2), room, 3, head);
  }

  private JsonNode joinedAgain(String epoch, long after) {
    try (RoomClient back = RoomClient.connect(uri, DevTokens.of("back"))) {
      back.await("welcome");
      back.join(room, epoch, after);
      return back.next();
    }
  }

  @Test
  @DisplayName("REC-12: a cursor ahead of the head is a snapshot, and counted; then all is well")
  void ahead() {
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"), room)) {
      String epoch = write(ann, room, 1, 3);
      double ahead = resumes("ahead");
      double deltas = resumes("delta");
      RoomClient back = RoomClient.connect(uri, DevTokens.of("bob"));
      try (back) {
        back.await("welcome");
        back.join(room, epoch, 4);
        JsonNode snapshot = back.next();
        assertEquals("snapshot", snapshot.path("type").asText(), snapshot.toString());
        assertEquals(epoch, snapshot.path("epoch").asText());
        assertEquals(List.of(1L, 2L, 3L), seqs(snapshot));
        assertEquals(ahead + 1, resumes("ahead"));

        back.join(room, epoch, snapshot.path("after").asLong());
        assertDelta(back.next(), room, 4, 3);
        assertEquals(ahead + 1, resumes("ahead"));
        assertEquals(deltas + 1, resumes("delta"));
      }
    }
  }

  private double resumes(String answer) {
    return meters.get("postroom.resumes").tag("answer", answer).counter().count();
  }

  @Test
  @DisplayName("REC-17: every joined room resumes by its own cursor, also one long silent")
  void threeRooms() {
    String[] rooms = {room + "-a", room + "-b", room + "-c"};
    int[] seen = {3, 4 * RING, 8};
    int[] missed = {1, 2 * RING, 0};
    List<String> epochs = new ArrayList<>();
    try (RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), rooms)) {
      for (int i = 0; i < rooms.length; i++) {
        epochs.add(write(bob, rooms[i], 1, seen[i]));
      }
      RoomClient.joined(uri, DevTokens.of("ann"), rooms).cut();
      for (int i = 0; i < rooms.length; i++) {
        write(bob, rooms[i], seen[i] + 1, seen[i] + missed[i]);
      }
      try (RoomClient ann = RoomClient.connect(uri, DevTokens.of("ann"))) {
        ann.await("welcome");
        for (int i = 0; i < rooms.length; i++) {
          ann.join(rooms[i], epochs.get(i), seen[i]);
        }
        for (int i = 0; i < rooms.length; i++) {
          assertDelta(ann.next(), rooms[i], seen[i] + 1, seen[i] + missed[i]);
        }
        // All three are live again.
        for (int i = 0; i < rooms.length; i++) {
          bob.sendAndAwait(rooms[i], "live", "text");
          JsonNode live = ann.next();
          assertEquals(rooms[i], live.path("room").asText(), live.toString());
          assertEquals(seen[i] + missed[i] + 1, live.path("seq").asInt());
        }
      }
    }
  }

  @Test
  @DisplayName("REC-14, R2: 50 joins at once in busy rooms: complete, and a bystander is answered")
  void joinsInBusyRooms() {
    int count = 50;
    int each = 40;
    List<Member> writers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writers.add(new Member(uri, DevTokens.of("w" + i), room + "-" + i));
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> writers.stream().allMatch(Member::joined));
    try (RoomClient ann = RoomClient.joined(uri, DevTokens.of("ann"));
        RoomClient bystander = RoomClient.joined(uri, DevTokens.of("bystander"), room)) {
      for (int n = 1; n <= each; n++) {
        for (Member writer : writers) {
          writer.send("k" + n, "text");
        }
      }
      for (int i = 0; i < count; i++) {
        ann.join(room + "-" + i);
      }
      Map<String, Long> positions = new HashMap<>();
      for (int n = 1; positions.size() < count; n++) {
        bystander.text("{\"type\":\"ping\"}");
        assertEquals("pong", bystander.await("pong").path("type").asText());
        assertEquals(n, bystander.sendAndAwait(room, "b" + n, "here").path("seq").asInt());
        take(ann, positions);
      }
      while (positions.values().stream().anyMatch(after -> after < each)) {
        take(ann, positions);
      }
      assertEquals(count, positions.size());
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> writers.stream().allMatch(Member::settled));
      assertEquals(null, ann.poll(0), "nothing twice");
    }
    for (Member writer : writers) {
      assertEquals(List.of(), writer.wrongs());
      writer.close();
    }
  }

  /** One frame: the answer to a join first, then the messages behind it. */
  private static void take(RoomClient client, Map<String, Long> positions) {
    JsonNode frame = client.next();
    String room = frame.path("room").asText();
    switch (frame.path("type").asText()) {
      case "snapshot" -> {
        assertEquals(
            LongStream.rangeClosed(1, frame.path("after").asLong()).boxed().toList(), seqs(frame));
        assertEquals(null, positions.put(room, frame.path("after").asLong()), "answered once");
      }
      case "delta" -> {
        frame.path("messages").forEach(message -> append(positions, room, message));
        assertEquals(positions.get(room), frame.path("after").asLong());
      }
      case "message" -> append(positions, room, frame);
      default -> throw new AssertionError(frame.toString());
    }
  }

  private static void append(Map<String, Long> positions, String room, JsonNode message) {
    Long before = positions.put(room, message.path("seq").asLong());
    assertEquals(message.path("seq").asLong() - 1, before, "before " + message);
  }

  private static void assertDelta(JsonNode delta, String room, long from, long to) {
    assertEquals("delta", delta.path("type").asText(), delta.toString());
    assertEquals(room, delta.path("room").asText());
    assertEquals(LongStream.rangeClosed(from, to).boxed().toList(), seqs(delta));
    assertEquals(to, delta.path("after").asLong());
    assertFalse(delta.path("more").asBoolean());
  }

  /** Writes those numbers one by one; the epoch. */
  private static String write(RoomClient client, String room, int from, int to) {
    String epoch = "";
    for (int i = from; i <= to; i++) {
      JsonNode ack = client.sendAndAwait(room, "k" + i, "text " + i);
      assertEquals(i, ack.path("seq").asInt(), ack.toString());
      epoch = ack.path("epoch").asText();
    }
    return epoch;
  }

  private static List<Long> seqs(JsonNode frame) {
    List<Long> seqs = new ArrayList<>();
    frame.path("messages").forEach(message -> seqs.add(message.path("seq").asLong()));
    return seqs;
  }
}
