package dev.postroom.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.ReceiverInbox;
import dev.postroom.testkit.RoomApi;
import dev.postroom.testkit.SinkApi;
import dev.postroom.testkit.TestPostgres;
import dev.postroom.testkit.WebhookTrap;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A real node is killed, or stands still, between every two steps of handing over. Each time
 * nothing is lost, first deliveries are in order, and only what had been sent without being marked
 * comes twice (H2).
 */
class HandOverCrashIT {
  private static final int LEASE_SECONDS = 3;
  private static final String ROOM = "case-1";

  private static TestPostgres postgres;
  private static int databases;

  private EmbeddedPg.Database database;
  private PostroomProcess node;
  private WebhookTrap trap;
  private String writer;
  private int sent;

  @BeforeAll
  static void postgres() {
    postgres = TestPostgres.started();
  }

  @AfterAll
  static void noPostgres() {
    postgres.close();
  }

  @BeforeEach
  void start() {
    database = postgres.database("handover" + databases++);
    node = another().start();
    trap = WebhookTrap.open();
    writer = new RoomApi(node.uri("/")).token("ann");
    new RoomApi(node.uri("/")).make(writer, ROOM);
    String secret =
        new SinkApi(node.uri("/")).create("trap", trap.url("/"), "*").path("secret").asText();
    trap.secrets(secret);
  }

  @AfterEach
  void stop() {
    node.close();
    trap.close();
  }

  private PostroomProcess another() {
    return PostroomProcess.on(database)
        .env("POSTROOM_WEBHOOK_ALLOW", "127.0.0.0/8")
        .env("POSTROOM_SECRETS_KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        .env("POSTROOM_RELAY_LEASE", LEASE_SECONDS + "S")
        .env("POSTROOM_RELAY_SWEEP", "1S")
        .env("POSTROOM_RELAY_CIRCUIT_MAX", "1S");
  }

  private void send(int count) {
    RoomApi api = new RoomApi(node.uri("/"));
    for (int i = 0; i < count; i++) {
      int number = ++sent;
      try {
        assertEquals(201, api.send(writer, ROOM, "k" + number, "text " + number).statusCode());
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void restart() {
    node.kill9();
    node.start();
  }

  private ReceiverInbox inbox() {
    return ReceiverInbox.of(trap.deliveries());
  }

  private void assertAllThere(int mostRepeats) {
    Awaitility.await("all events")
        .atMost(Duration.ofSeconds(60))
        .until(() -> inbox().size() == sent);
    await("next_seq = known_seq + 1 AND state = 'idle'");
    ReceiverInbox inbox = inbox();
    assertEquals(
        IntStream.rangeClosed(1, sent).mapToObj(n -> "text " + n).toList(), inbox.texts(ROOM));
    assertEquals(List.of(), inbox.faults());
    assertEquals(List.of(), trap.wrongs());
    assertTrue(inbox.repeats() <= mostRepeats, () -> inbox.repeats() + " repeats");
  }

  private void await(String lane) {
    Awaitility.await(lane)
        .atMost(Duration.ofSeconds(60))
        .until(() -> database.number("SELECT count(*) FROM lane WHERE " + lane) == 1);
  }

  private Connection locked(String sql) throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
    return connection;
  }

  @Test
  @DisplayName("Before the claim: killed after the commit, before any lane knows of it (L10)")
  void beforeClaim() throws SQLException {
    try (Connection lock = locked("LOCK TABLE lane IN ACCESS EXCLUSIVE MODE")) {
      send(3);
      node.kill9();
      lock.rollback();
    }
    assertEquals(0, trap.size());
    node.start();
    assertAllThere(0);
  }

  @Test
  @DisplayName("After the claim, before a byte: killed while it connects (L19, S1)")
  void beforeBytes() throws IOException {
    trap.down();
    List<Socket> fillers = new ArrayList<>();
    try (ServerSocket full = new ServerSocket()) {
      full.bind(new InetSocketAddress("127.0.0.1", trap.port()), 1);
      // Whoever comes after these waits to be connected.
      for (int i = 0; i < 2; i++) {
        fillers.add(new Socket("127.0.0.1", trap.port()));
      }
      send(3);
      await("state = 'leased'");
      node.kill9();
    } finally {
      for (Socket filler : fillers) {
        filler.close();
      }
    }
    trap.up();
    node.start();
    assertAllThere(0);
  }

  @Test
  @DisplayName("After the bytes, before the answer: the one event comes twice, with the same id")
  void beforeAnswer() {
    trap.hold();
    send(3);
    trap.await(1);
    node.kill9();
    trap.take();
    node.start();
    assertAllThere(1);
    assertEquals(1, inbox().repeats());
  }

  @Test
  @DisplayName("After the answer, before the mark: the one event comes twice (D10)")
  void beforeMark() throws SQLException {
    trap.hold();
    send(1);
    trap.await(1);
    try (Connection lock = locked("SELECT * FROM lane FOR UPDATE")) {
      trap.release();
      await("next_seq = 1");
      // The mark is at the row's lock: whoever waits for it is the settler.
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  database.number(
                          "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                              + " AND query LIKE '%dead_letter%'")
                      > 0);
      node.kill9();
      database.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      lock.rollback();
    }
    node.start();
    send(2);
    assertAllThere(1);
    assertEquals(1, inbox().repeats());
  }

  @Test
  @DisplayName("After the mark: nothing comes twice")
  void afterMark() {
    send(3);
    await("next_seq = 4");
    restart();
    send(2);
    assertAllThere(0);
  }

  @Test
  @DisplayName("D3, D6: a node that stands still past its lease; another takes over, it is fenced")
  void standsStill() {
    trap.hold();
    send(5);
    trap.await(1);
    node.pause();
    trap.take();
    try (PostroomProcess second = another().start()) {
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> inbox().size() == 5);
      trap.release();
      node.resume();
      node.awaitReady();
      send(3);
      assertAllThere(2);
      assertTrue(second.alive());
    }
  }

  @Test
  @DisplayName("D6: leases that cannot be renewed: the node stops by itself and goes on afterwards")
  void leaseNotRenewed() {
    send(2);
    trap.await(2);
    trap.hold();
    send(3);
    trap.await(3);
    postgres.pause();
    try {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> node.status("/q/health/ready") == 503);
      trap.release();
    } finally {
      postgres.resume();
    }
    node.awaitReady();
    send(2);
    assertAllThere(2);
  }

  @Test
  @DisplayName("The database is restarted between answer and mark, and in the middle of everything")
  void databaseRestarts() {
    trap.hold();
    send(3);
    trap.await(1);
    postgres.stopImmediately();
    trap.release();
    postgres.start();
    node.awaitReady();
    send(2);
    assertAllThere(3);
  }
}
