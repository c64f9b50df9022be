package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.Member;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.RoomClient;
import dev.postroom.testkit.TestPostgres;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several nodes on one database are one service. */
class SeveralNodesIT {
  private static final int RACES = 500;
  private static final int REMOVALS = 20;

  private static final TestPostgres POSTGRES = TestPostgres.started();
  private static EmbeddedPg.Database database;
  private static PostroomProcess one;
  private static PostroomProcess two;
  private static RoomApi apiOne;
  private static RoomApi apiTwo;
  private static String owner;

  @BeforeAll
  static void start() {
    database = POSTGRES.database("rooms");
    one = node();
    two = node().jvm("-Duser.timezone=Pacific/Chatham");
    // At once: the first start makes the schema.
    one.launch();
    two.launch();
    one.awaitReady();
    two.awaitReady();
    apiOne = new RoomApi(one.uri("/"));
    apiTwo = new RoomApi(two.uri("/"));
    owner = token("owner");
  }

  @AfterAll
  static void stop() {
    one.close();
    two.close();
    POSTGRES.close();
  }

  private static PostroomProcess node() {
    return PostroomProcess.on(database)
        .env("POSTROOM_ACCEPT_RATE", "0")
        .env("POSTROOM_ROOMS_OPEN_TO_ALL", "false");
  }

  private static URI ws(PostroomProcess node) {
    return URI.create("ws://127.0.0.1:" + node.port() + "/ws");
  }

  /** Good at every node: they share the development issuer's key. */
  private static String token(String participant) {
    return apiOne.token(participant, Map.of("case-*", "owner"));
  }

  private static String newRoom(String name) {
    String room = "case-" + name;
    apiOne.make(owner, room);
    return room;
  }

  @Test
  @DisplayName("ACC-05, A1, A2, A5: the same command at two nodes in the same moment, 500 times")
  void sameCommandAtTwoNodes() throws Exception {
    String room = newRoom("race");
    CyclicBarrier together = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (RoomClient atOne = RoomClient.joined(ws(one), owner, room);
        RoomClient atTwo = RoomClient.joined(ws(two), owner, room)) {
      Future<List<JsonNode>> first = threads.submit(race(atOne, room, together));
      Future<List<JsonNode>> second = threads.submit(race(atTwo, room, together));
      int wonByOne = 0;
      for (int i = 0; i < RACES; i++) {
        JsonNode a = first.get().get(i);
        JsonNode b = second.get().get(i);
        for (String field : List.of("type", "messageId", "epoch", "seq", "acceptedAt")) {
          assertEquals(a.path(field), b.path(field), a + " and " + b);
        }
        assertEquals("ack", a.path("type").asText(), a.toString());
        assertEquals(i + 1, a.path("seq").asLong());
        boolean duplicateAtOne = a.path("duplicate").asBoolean();
        assertEquals(!duplicateAtOne, b.path("duplicate").asBoolean(), a + " and " + b);
        wonByOne += duplicateAtOne ? 0 : 1;
      }
      System.out.printf("%d races, %d won by the first node%n", RACES, wonByOne);
    } finally {
      threads.shutdownNow();
    }
    assertEquals(RACES, apiTwo.messages(owner, room).size());
  }

  private static Callable<List<JsonNode>> race(
      RoomClient client, String room, CyclicBarrier together) {
    return () -> {
      List<JsonNode> answers = new ArrayList<>();
      for (int i = 0; i < RACES; i++) {
        together.await();
        answers.add(client.sendAndAwait(room, "k" + i, "text " + i));
      }
      return answers;
    };
  }

  @Test
  @DisplayName("N1, N3, F3: members of both nodes see all rooms in order while both are written to")
  void everybodySeesEverything() {
    try (Load load = new Load()) {
      for (int i = 0; i < 3; i++) {
        String room = newRoom("shared-" + i);
        for (PostroomProcess node : List.of(one, two)) {
          String name = (node == one ? "one-" : "two-") + i;
          load.member(List.of(ws(node)), token(name), name, room, 4);
          load.poster(node.uri("/"), token(name + "-http"), name + "-http", room);
          // The same participant's other connection, at the other node, reads only (F3).
          load.member(List.of(ws(node == one ? two : one)), token(name), name, room, 0);
        }
      }
      load.awaitAcks(3_000);
      load.finish();
      long messages = load.prove(apiOne, owner);
      assertEquals(messages, load.prove(apiTwo, owner));
      System.out.printf("%d messages in 3 rooms at 2 nodes%n", messages);
    }
  }

  @Test
  @DisplayName(
      "REC-23, R3: a node is killed; its members go on at another by cursor, 0 lost, 0 twice")
  void killedNode() {
    String room = newRoom("killed-node");
    try (PostroomProcess doomed = node().start();
        Load load = new Load()) {
      List<URI> nodes = List.of(ws(doomed), ws(one));
      for (int i = 0; i < 12; i++) {
        String name = "mover-" + i;
        load.member(nodes, token(name), name, room, i % 4);
      }
      load.poster(two.uri("/"), token("stayer"), "stayer", room);
      awaitJoined(load);
      load.awaitAcks(500);
      doomed.kill9();
      load.awaitAcks(1_000);
      load.finish();
      long messages = load.prove(apiTwo, owner);
      assertTrue(load.members().stream().allMatch(member -> member.resumes() > 0));
      System.out.printf("%d messages, 12 members moved%n", messages);
    }
  }

  @Test
  @DisplayName("ORD-02: a node that starts under load misses nothing")
  void joiningNode() {
    String room = newRoom("joining-node");
    try (PostroomProcess third = node();
        Load load = new Load()) {
      for (PostroomProcess node : List.of(one, two)) {
        String name = node == one ? "early-one" : "early-two";
        load.member(List.of(ws(node), ws(third)), token(name), name, room, 4);
      }
      load.awaitAcks(100);
      third.launch();
      for (int i = 0; i < 4; i++) {
        String name = "late-" + i;
        load.member(List.of(ws(third)), token(name), name, room, i % 2);
      }
      awaitJoined(load);
      load.awaitAcks(300);
      // And with cursors from other nodes.
      load.members().subList(0, 2).forEach(Member::cut);
      load.awaitAcks(300);
      load.finish();
      System.out.printf("%d messages%n", load.prove(new RoomApi(third.uri("/")), owner));
    }
  }

  private static void awaitJoined(Load load) {
    Awaitility.await("joined")
        .atMost(Duration.ofMinutes(2))
        .until(() -> load.members().stream().allMatch(Member::joined));
  }

  @Test
  @DisplayName("AUTH-05, R5: removed through one node, a member gets nothing more at another")
  void removedElsewhere() throws Exception {
    String room = newRoom("removal");
    for (int i = 0; i < REMOVALS; i++) {
      String name = "bob-" + i;
      String token = apiOne.token(name, Map.of("other", "reader"));
      apiOne.putMember(owner, room, name, "writer");
      try (RoomClient bob = RoomClient.joined(ws(two), token, room)) {
        assertEquals("ack", bob.sendAndAwait(room, "k", "still here").path("type").asText());
        apiOne.removeMember(owner, room, name);
        String secret = "not for " + name;
        assertEquals(201, apiOne.send(owner, room, name, secret).statusCode());
        assertEquals("removed", last(bob.upTo("left"), secret).path("reason").asText());
        bob.send(room, "k2", "x");
        JsonNode refused = last(bob.upTo("error"), secret);
        assertEquals("forbidden", refused.path("code").asText());
        bob.join(room);
        refused = last(bob.upTo("error"), secret);
        assertEquals("forbidden", refused.path("code").asText());
        bob.text("{\"type\":\"ping\"}");
        last(bob.upTo("pong"), secret);
        assertEquals(403, apiTwo.send(token, room, "k3", "x").statusCode());
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
    String room = newRoom("closed");
    try (RoomClient reader = RoomClient.joined(ws(two), owner, room)) {
      reader.sendAndAwait(room, "k", "last words");
      apiOne.close(owner, room);
      assertEquals("room_closed", reader.await("left").path("reason").asText());
      apiOne.make(owner, room);
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
    String room = newRoom("clock");
    for (int i = 1; i <= 60; i++) {
      apiOne.send(owner, room, "k" + i, "text");
    }
    // As if the database's clock had been ahead until now. The nodes' own are asked for nothing.
    database.execute(
        "UPDATE message SET accepted_at = accepted_at + interval '5 minutes' WHERE room_no ="
            + " (SELECT no FROM room WHERE id = '"
            + room
            + "')");
    for (int i = 61; i <= 120; i++) {
      apiTwo.send(owner, room, "k" + i, "text");
    }
    try (RoomClient reader = RoomClient.joined(ws(two), owner)) {
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
    assertEquals(range(1, 120), seqs(apiOne.messages(owner, room)));
    assertEquals(range(1, 120), seqs(apiTwo.messages(owner, room)));
  }

  private static List<Long> range(int from, int to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  private static List<Long> seqs(Iterable<JsonNode> messages) {
    List<Long> seqs = new ArrayList<>();
    messages.forEach(message -> seqs.add(message.path("seq").asLong()));
    return seqs;
  }
}
