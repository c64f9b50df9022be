package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.HandOverPoint;
import dev.postroom.testkit.LaneGate;
import dev.postroom.testkit.LaneGate.Step;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.ReceiverInbox;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.SinkApi;
import dev.postroom.testkit.WebhookTrap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** One room, one sink and one receiver, with a node that is led to a {@link HandOverPoint}. */
final class HandOverScene implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final EmbeddedPg.Database database;
  private final LaneGate gate;
  private final PostroomProcess node;
  private final WebhookTrap trap = WebhookTrap.open();
  private final String room = "case-" + UUID.randomUUID();
  private final List<Socket> fillers = new ArrayList<>();
  private final String writer;
  private final String sink;
  private ServerSocket full;
  private int sent;

  HandOverScene(EmbeddedPg.Database database, LaneGate gate, PostroomProcess node) {
    this.database = database;
    this.gate = gate;
    this.node = node;
    RoomApi api = new RoomApi(node.uri("/"));
    this.writer = api.token("ann");
    api.make(writer, room);
    var made = new SinkApi(node.uri("/")).create("trap", trap.url("/"), room);
    this.sink = made.path("id").asText();
    trap.secrets(made.path("secret").asText());
  }

  WebhookTrap trap() {
    return trap;
  }

  /** As a client does: with the same id until it is accepted. */
  void send(PostroomProcess by, int count) {
    RoomApi api = new RoomApi(by.uri("/"));
    for (int i = 0; i < count; i++) {
      int number = ++sent;
      Awaitility.await("accepted")
          .atMost(LIMIT)
          .until(
              () -> {
                int status = api.send(writer, room, "k" + number, "text " + number).statusCode();
                assertTrue(Set.of(200, 201, 503).contains(status), () -> "status " + status);
                return status != 503;
              });
    }
  }

  /** One event is under way, and the node exactly there. */
  void reach(HandOverPoint point) {
    switch (point) {
      case BEFORE_CLAIM -> stopAt(Step.CLAIM);
      case AFTER_CLAIM -> stopAt(Step.CLAIMED);
      case BEFORE_BYTES -> connecting();
      case BEFORE_ANSWER -> unanswered();
      case BEFORE_MARK -> stopAt(Step.MARK);
      case AFTER_MARK -> {
        send(node, 1);
        awaitLane("state = 'idle' AND next_seq = 2");
      }
      case LEASE_RENEW -> {
        unanswered();
        gate.close(Step.RENEW);
        gate.awaitReached(1);
      }
      case LEASE_LOST -> {
        unanswered();
        lane("token = token + 1, due_at = now() + interval '1 h'");
      }
      case SETTLE_LOST -> {
        stopAt(Step.MARK);
        long before = lostMarks();
        gate.cut();
        Awaitility.await("told of it").atMost(LIMIT).until(() -> lostMarks() > before);
      }
    }
  }

  private void stopAt(Step step) {
    gate.close(step);
    send(node, 1);
    gate.awaitReached(1);
  }

  private void unanswered() {
    trap.hold();
    send(node, 1);
    trap.await(1);
  }

  private long lostMarks() {
    return node.output().lines().filter(line -> line.contains("Marks were not written")).count();
  }

  /** The queue of connections is full: whoever comes now waits to be connected. */
  private void connecting() {
    trap.down();
    // The port is free once the connections that were open have ended.
    Awaitility.await("the port")
        .atMost(LIMIT)
        .ignoreException(BindException.class)
        .until(
            () -> {
              full = new ServerSocket();
              full.bind(new InetSocketAddress("127.0.0.1", trap.port()), 1);
              return true;
            });
    try {
      for (int i = 0; i < 2; i++) {
        fillers.add(new Socket("127.0.0.1", trap.port()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    send(node, 1);
    awaitLane("state = 'leased'");
  }

  /** What held the node there is gone; what the receiver holds stays unanswered. */
  void letGo(HandOverPoint point) {
    gate.open();
    if (point == HandOverPoint.BEFORE_BYTES) {
      try {
        for (Socket filler : fillers) {
          filler.close();
        }
        full.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      trap.up();
    }
    if (point == HandOverPoint.LEASE_LOST) {
      // The other one, of whom the token tells, lets go as well.
      lane("due_at = now()");
    }
    trap.take();
  }

  private void lane(String change) {
    database.execute("UPDATE lane SET " + change + " WHERE " + mine());
  }

  private String mine() {
    return "room_no = (SELECT no FROM room WHERE id = '%s')".formatted(room);
  }

  void awaitAllArrived() {
    Awaitility.await("all events").atMost(LIMIT).until(() -> inbox().size() == sent);
  }

  private ReceiverInbox inbox() {
    return ReceiverInbox.of(trap.deliveries());
  }

  void awaitLane(String state) {
    Awaitility.await(state)
        .atMost(LIMIT)
        .until(
            () ->
                database.number("SELECT count(*) FROM lane WHERE " + state + " AND " + mine())
                    == 1);
  }

  /** Nothing lost, first deliveries in order, no more repeats than that. */
  void assertAllThere(int mostRepeats) {
    awaitAllArrived();
    awaitLane("next_seq = known_seq + 1 AND state = 'idle'");
    ReceiverInbox inbox = inbox();
    assertEquals(
        IntStream.rangeClosed(1, sent).mapToObj(n -> "text " + n).toList(), inbox.texts(room));
    assertEquals(List.of(), inbox.faults());
    assertEquals(List.of(), trap.wrongs());
    assertTrue(inbox.repeats() <= mostRepeats, () -> inbox.repeats() + " repeats");
  }

  @Override
  public void close() {
    gate.open();
    if (node.alive()) {
      new SinkApi(node.uri("/")).call("DELETE", sink, "", null);
    }
    trap.close();
  }
}
