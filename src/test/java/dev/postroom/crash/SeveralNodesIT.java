package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.Member;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.RoomClient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Several nodes on one database are one service. */
class SeveralNodesIT {
  private static final int RACES = 500;

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
  @DisplayName("ACC-05, A1, A2, A5: the same command at two nodes in the same moment, 500 times")
  void sameCommandAtTwoNodes() throws Exception {
    String room = nodes.newRoom("race");
    CyclicBarrier together = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (RoomClient atOne = RoomClient.joined(Nodes.ws(nodes.one), nodes.owner, room);
        RoomClient atTwo = RoomClient.joined(Nodes.ws(nodes.two), nodes.owner, room)) {
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
    assertEquals(RACES, nodes.apiTwo.messages(nodes.owner, room).size());
  }

  @Test
  @DisplayName("ACC-10, A2: a node stands still for 5 s, one command by four sockets: one first")
  void repeatedWhileTheNodeStandsStill() {
    String room = nodes.newRoom("standstill");
    List<RoomClient> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        sockets.add(RoomClient.joined(Nodes.ws(nodes.one), nodes.owner, room));
      }
      nodes.one.pause();
      try {
        long since = System.nanoTime();
        sockets.forEach(socket -> socket.send(room, "k1", "text"));
        Awaitility.await()
            .until(() -> System.nanoTime() - since >= Duration.ofSeconds(5).toNanos());
      } finally {
        nodes.one.resume();
      }
      List<JsonNode> acks = sockets.stream().map(socket -> socket.await("ack")).toList();
      assertEquals(
          1, acks.stream().filter(ack -> !ack.path("duplicate").asBoolean()).count(), acks + "");
      assertEquals(1, acks.stream().map(ack -> ack.path("messageId")).distinct().count());
      acks.forEach(ack -> assertEquals(1, ack.path("seq").asInt()));
      assertEquals(1, nodes.apiTwo.messages(nodes.owner, room).size());
    } finally {
      sockets.forEach(RoomClient::close);
    }
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
        String room = nodes.newRoom("shared-" + i);
        for (PostroomProcess node : List.of(nodes.one, nodes.two)) {
          String name = (node == nodes.one ? "one-" : "two-") + i;
          load.member(List.of(Nodes.ws(node)), nodes.token(name), name, room, 4);
          load.poster(node.uri("/"), nodes.token(name + "-http"), name + "-http", room);
          // The same participant's other connection, at the other node, reads only (F3).
          load.member(
              List.of(Nodes.ws(node == nodes.one ? nodes.two : nodes.one)),
              nodes.token(name),
              name,
              room,
              0);
        }
      }
      load.awaitAcks(3_000);
      load.finish();
      long messages = load.prove(nodes.apiOne, nodes.owner);
      assertEquals(messages, load.prove(nodes.apiTwo, nodes.owner));
      System.out.printf("%d messages in 3 rooms at 2 nodes%n", messages);
    }
  }

  @Test
  @DisplayName(
      "REC-23, R3: a node is killed; its members go on at another by cursor, 0 lost, 0 twice")
  void killedNode() {
    String room = nodes.newRoom("killed-node");
    try (PostroomProcess doomed = nodes.another().start();
        Load load = new Load()) {
      List<URI> addresses = List.of(Nodes.ws(doomed), Nodes.ws(nodes.one));
      for (int i = 0; i < 12; i++) {
        String name = "mover-" + i;
        load.member(addresses, nodes.token(name), name, room, i % 4);
      }
      load.poster(nodes.two.uri("/"), nodes.token("stayer"), "stayer", room);
      awaitJoined(load);
      load.awaitAcks(500);
      doomed.kill9();
      load.awaitAcks(1_000);
      load.finish();
      long messages = load.prove(nodes.apiTwo, nodes.owner);
      assertTrue(load.members().stream().allMatch(member -> member.resumes() > 0));
      System.out.printf("%d messages, 12 members moved%n", messages);
    }
  }

  @Test
  @DisplayName("ORD-02: a node that starts under load misses nothing")
  void joiningNode() {
    String room = nodes.newRoom("joining-node");
    try (PostroomProcess third = nodes.another();
        Load load = new Load()) {
      for (PostroomProcess node : List.of(nodes.one, nodes.two)) {
        String name = node == nodes.one ? "early-one" : "early-two";
        load.member(List.of(Nodes.ws(node), Nodes.ws(third)), nodes.token(name), name, room, 4);
      }
      load.awaitAcks(100);
      third.launch();
      for (int i = 0; i < 4; i++) {
        String name = "late-" + i;
        load.member(List.of(Nodes.ws(third)), nodes.token(name), name, room, i % 2);
      }
      awaitJoined(load);
      load.awaitAcks(300);
      // And with cursors from other nodes.
      load.members().subList(0, 2).forEach(Member::cut);
      load.awaitAcks(300);
      load.finish();
      System.out.printf("%d messages%n", load.prove(new RoomApi(third.uri("/")), nodes.owner));
    }
  }

  private static void awaitJoined(Load load) {
    Awaitility.await("joined")
        .atMost(Duration.ofMinutes(2))
        .until(() -> load.members().stream().allMatch(Member::joined));
  }
}
