package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.RoomClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is changed through one node holds at the other. */
class ChangedElsewhereIT {
  private static final int REMOVALS = 20;

  private static Nodes nodes;

  @BeforeAll
  static void start() {
    nodes = new Nodes();
  }

  @AfterAll
  static void stop() {
    nodes.close();
  }

  @Test
  @DisplayName("AUTH-05, R5: removed through one node, a member gets nothing more at another")
  void removedElsewhere() throws Exception {
    String room = nodes.newRoom("removal");
    for (int i = 0; i < REMOVALS; i++) {
      String name = "bob-" + i;
      String token = nodes.apiOne.token(name, Map.of("other", "reader"));
      nodes.apiOne.putMember(nodes.owner, room, name, "writer");
      try (RoomClient bob = RoomClient.joined(Nodes.ws(nodes.two), token, room)) {
        assertEquals("ack", bob.sendAndAwait(room, "k", "still here").path("type").asText());
        nodes.apiOne.removeMember(nodes.owner, room, name);
        String secret = "not for " + name;
        assertEquals(201, nodes.apiOne.send(nodes.owner, room, name, secret).statusCode());
        assertEquals("removed", last(bob.upTo("left"), secret).path("reason").asText());
        bob.send(room, "k2", "x");
        JsonNode refused = last(bob.upTo("error"), secret);
        assertEquals("forbidden", refused.path("code").asText());
        bob.join(room);
        refused = last(bob.upTo("error"), secret);
        assertEquals("forbidden", refused.path("code").asText());
        bob.text("{\"type\":\"ping\"}");
        last(bob.upTo("pong"), secret);
        assertEquals(403, nodes.apiTwo.send(token, room, "k3", "x").statusCode());
      }
    }
  }

  /** The last one; none of them may carry that text. */
  private static JsonNode last(List<JsonNode> frames, String secret) {
    assertTrue(
        frames.stream().noneMatch(frame -> frame.path("text").asText().equals(secret)),
        frames.toString());
    return frames.get(frames.size() - 1);
  }

  @Test
  @DisplayName("ORD-07, R4: closed through one node, a room ends at another, and comes again anew")
  void closedElsewhere() {
    String room = nodes.newRoom("closed");
    try (RoomClient reader = RoomClient.joined(Nodes.ws(nodes.two), nodes.owner, room)) {
      reader.sendAndAwait(room, "k", "last words");
      nodes.apiOne.close(nodes.owner, room);
      assertEquals("room_closed", reader.await("left").path("reason").asText());
      nodes.apiOne.make(nodes.owner, room);
      reader.join(room);
      assertEquals(0, reader.await("snapshot").path("after").asLong());
      JsonNode ack = reader.sendAndAwait(room, "k", "last words");
      assertEquals(1, ack.path("seq").asLong());
      assertEquals(false, ack.path("duplicate").asBoolean());
    }
  }

  @Test
  @DisplayName("ORD-04, N4: a clock that steps back 5 minutes changes no order and hides nothing")
  void wrongClock() throws Exception {
    String room = nodes.newRoom("clock");
    for (int i = 1; i <= 60; i++) {
      nodes.apiOne.send(nodes.owner, room, "k" + i, "text");
    }
    // As if the database's clock had been ahead until now. The nodes' own are asked for nothing.
    nodes.database.execute(
        "UPDATE message SET accepted_at = accepted_at + interval '5 minutes' WHERE room_no ="
            + " (SELECT no FROM room WHERE id = '"
            + room
            + "')");
    for (int i = 61; i <= 120; i++) {
      nodes.apiTwo.send(nodes.owner, room, "k" + i, "text");
    }
    try (RoomClient reader = RoomClient.joined(Nodes.ws(nodes.two), nodes.owner)) {
      reader.join(room);
      JsonNode snapshot = reader.await("snapshot");
      assertEquals(range(71, 120), seqs(snapshot.path("messages")));
      reader.join(room, snapshot.path("epoch").asText(), 30);
      List<Long> delta = new ArrayList<>();
      for (boolean more = true; more; ) {
        JsonNode frame = reader.await("delta");
        delta.addAll(seqs(frame.path("messages")));
        more = frame.path("more").asBoolean();
      }
      assertEquals(range(31, 120), delta);
    }
    assertEquals(range(1, 120), seqs(nodes.apiOne.messages(nodes.owner, room)));
    assertEquals(range(1, 120), seqs(nodes.apiTwo.messages(nodes.owner, room)));
  }

  private static List<Long> range(int from, int to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  private static List<Long> seqs(Iterable<JsonNode> messages) {
    return StreamSupport.stream(messages.spliterator(), false)
        .map(message -> message.path("seq").asLong())
        .toList();
  }
}
