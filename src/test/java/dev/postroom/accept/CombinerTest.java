package dev.postroom.accept;

import static dev.postroom.accept.Accepting.principal;
import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.access.Principal;
import dev.postroom.protocol.ErrorCode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One lane, so that what is sent while a room is held goes into one transaction. */
class CombinerTest {
  private static final Map<String, String> ONE_LANE =
      Map.of("postroom.accept.lanes", "1", "postroom.accept.queue-commands", "500");

  private Accepting accepting;

  @BeforeEach
  void open() {
    accepting = new Accepting(ONE_LANE);
    accepting.room("a", "b", "gate");
  }

  @AfterEach
  void close() {
    accepting.close();
  }

  @Test
  @DisplayName("A5: two equal keys in one batch are the first and its repeat, three the same")
  void equalKeysInOneBatch() throws SQLException {
    List<Outcome> outcomes =
        inOneBatch(
            submission("ann", "a", "k", "x"),
            submission("ann", "a", "k", "x"),
            submission("ann", "a", "k", "y"),
            submission("ann", "a", "k", "x"));
    Outcome.Accepted first = accepted(outcomes.get(0));
    assertEquals(false, first.duplicate());
    assertEquals(new Outcome.Accepted(first.message(), true, 1), outcomes.get(1));
    assertEquals(new Outcome.Conflict(first.message().messageId(), 1), outcomes.get(2));
    assertEquals(new Outcome.Accepted(first.message(), true, 1), outcomes.get(3));
    assertEquals(1, accepting.announced.stream().filter(m -> m.text().equals("x")).count());
  }

  @Test
  @DisplayName("ifHead in a batch is compared with what the ones before it made of the head")
  void ifHeadInABatch() throws SQLException {
    List<Outcome> outcomes =
        inOneBatch(
            submission("ann", "a", "k1", "x"),
            new Submission("o", principal("bob"), "a", "k2", "x", 0L),
            new Submission("o", principal("bob"), "a", "k3", "x", 1L),
            new Submission("o", principal("bob"), "a", "k4", "x", 1L),
            submission("ann", "a", "k5", "x"));
    assertEquals(1, accepted(outcomes.get(0)).message().seq());
    assertEquals(new Outcome.StaleHead(1), outcomes.get(1));
    assertEquals(2, accepted(outcomes.get(2)).message().seq());
    assertEquals(new Outcome.StaleHead(2), outcomes.get(3));
    assertEquals(3, accepted(outcomes.get(4)).message().seq());
  }

  @Test
  @DisplayName("A9: what the database cannot store fails alone")
  void aBadOneFailsAlone() throws SQLException {
    Principal bad = new Principal("bad", "name with \0", Map.of(), false, null);
    List<Submission> batch = new ArrayList<>();
    for (int n = 0; n < 20; n++) {
      batch.add(
          n == 13
              ? new Submission("o", bad, "a", "k", "x", null)
              : submission("p" + n, n % 2 == 0 ? "a" : "b", "k", "x"));
    }
    List<Outcome> outcomes = inOneBatch(batch.toArray(Submission[]::new));
    for (int n = 0; n < 20; n++) {
      if (n == 13) {
        assertEquals(ErrorCode.INVALID, refused(outcomes.get(n)).code());
      } else {
        accepted(outcomes.get(n));
      }
    }
    assertDense("a", 10);
    assertDense("b", 9);
  }

  @Test
  @DisplayName("a room that is not there is made where that is allowed, in the order of sending")
  void madeAtFirstUse() throws SQLException {
    List<CompletableFuture<Outcome>> results = new ArrayList<>();
    try (Connection holder = hold("gate")) {
      results.add(accepting.submit(submission("ann", "gate", "g", "x")));
      for (int n = 0; n < 10; n++) {
        results.add(accepting.submit(submission("ann", "new", "k" + n, "x"), true));
        results.add(accepting.submit(submission("ann", "none", "k" + n, "x"), false));
      }
      holder.rollback();
    }
    for (int n = 0; n < 10; n++) {
      assertEquals(n + 1, accepted(results.get(1 + 2 * n).join()).message().seq());
      assertEquals(ErrorCode.FORBIDDEN, refused(results.get(2 + 2 * n).join()).code());
    }
  }

  @Test
  @DisplayName(
      "ACC-02: a held room is busy, its neighbours are not, and the repeat finds the truth")
  void heldRoom() throws SQLException {
    CompletableFuture<Outcome> held;
    try (Connection holder = hold("a")) {
      held = accepting.submit(submission("ann", "a", "k", "x"));
      CompletableFuture<Outcome> neighbour = accepting.submit(submission("ann", "b", "k", "x"));
      Outcome.Refused busy = refused(held.join());
      assertEquals(ErrorCode.BUSY, busy.code());
      assertTrue(busy.retryAfterMs() > 0);
      accepted(neighbour.join());
      holder.rollback();
    }
    Awaitility.await()
        .until(
            () -> accepting.accept(submission("ann", "a", "k", "x")) instanceof Outcome.Accepted);
    assertDense("a", 1);
  }

  @Test
  @DisplayName("N2, ORD-03: what queues behind a refused one of its line is refused with it")
  void nothingOvertakes() throws SQLException {
    CompletableFuture<Outcome> first;
    CompletableFuture<Outcome> second;
    CompletableFuture<Outcome> other;
    try (Connection holder = hold("a")) {
      first = accepting.submit(submission("ann", "a", "k1", "x"));
      Awaitility.await().until(() -> isWaitedFor());
      second = accepting.submit(submission("ann", "a", "k2", "x"));
      other = accepting.submit(submission("bob", "a", "k1", "x"));
      accepting.database.number(
          "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND wait_event_type = 'Lock'");
      holder.rollback();
      assertEquals(ErrorCode.BUSY, refused(first.join()).code());
      assertEquals(ErrorCode.BUSY, refused(second.join()).code());
      accepted(other.join());
    }
    assertDense("a", 1);
  }

  @Test
  @DisplayName("K4, S1: 2,000 at once over a bound of 500: some busy at once, the rest accepted")
  void overTheBound() throws SQLException {
    List<CompletableFuture<Outcome>> results = new ArrayList<>();
    try (Connection holder = hold("a")) {
      for (int n = 0; n < 2_000; n++) {
        results.add(accepting.submit(submission("p" + n, "a", "k", "x")));
      }
      // The lane takes a batch whenever it comes to it, so which ones found room is open.
      long atOnce = results.stream().filter(CompletableFuture::isDone).count();
      assertTrue(atOnce >= 2_000 - 500 - accepting.config.batchCommands(), atOnce + " refused");
      assertFalse(results.get(0).isDone());
      holder.rollback();
    }
    long accepted = 0;
    for (CompletableFuture<Outcome> result : results) {
      if (result.join() instanceof Outcome.Accepted) {
        accepted++;
      } else {
        assertEquals(ErrorCode.BUSY, refused(result.join()).code());
      }
    }
    assertTrue(accepted >= 500, "accepted " + accepted);
    assertDense("a", accepted);
  }

  @Test
  @DisplayName("R9, N1: from two nodes at once, numbers without holes, announced as stored")
  void twoNodes() {
    try (Accepting second =
        new Accepting(accepting.database, accepting.database.connectOptions(), ONE_LANE)) {
      List<CompletableFuture<Outcome>> results = new ArrayList<>();
      for (int n = 0; n < 200; n++) {
        results.add(accepting.submit(submission("ann", "a", "k" + n, "x")));
        results.add(second.submit(submission("ann", "a", "k" + n, "x")));
        results.add(second.submit(submission("bob", "a", "k" + n, "x")));
      }
      results.forEach(result -> accepted(result.join()));
      assertDense("a", 400);
      HashSet<Long> announced = new HashSet<>();
      accepting.announced.forEach(message -> assertTrue(announced.add(message.seq())));
      second.announced.forEach(message -> assertTrue(announced.add(message.seq())));
      assertEquals(400, announced.size());
    }
  }

  /** The outcomes of submissions that queued while another transaction was held up. */
  private List<Outcome> inOneBatch(Submission... submissions) throws SQLException {
    List<CompletableFuture<Outcome>> results = new ArrayList<>();
    try (Connection holder = hold("gate")) {
      CompletableFuture<Outcome> gate = accepting.submit(submission("ann", "gate", "g", "gate"));
      Awaitility.await().until(this::isWaitedFor);
      for (Submission submission : submissions) {
        results.add(accepting.submit(submission));
      }
      holder.rollback();
      accepted(gate.join());
    }
    return results.stream().map(CompletableFuture::join).toList();
  }

  private Connection hold(String room) throws SQLException {
    Connection holder = accepting.database.connect();
    holder.setAutoCommit(false);
    holder.createStatement().execute("SELECT * FROM room WHERE id = '" + room + "' FOR UPDATE");
    return holder;
  }

  private boolean isWaitedFor() {
    return accepting.database.number(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND wait_event_type = 'Lock'")
        > 0;
  }

  private void assertDense(String room, long messages) {
    assertEquals(
        LongStream.rangeClosed(1, messages).sum(),
        accepting.database.number(
            "SELECT coalesce(sum(seq), 0) FROM message JOIN room ON no = room_no AND id = '"
                + room
                + "'"));
    assertEquals(
        messages, accepting.database.number("SELECT head FROM room WHERE id = '" + room + "'"));
    assertEquals(
        messages,
        accepting.database.number(
            "SELECT coalesce(sum(last_seq - first_seq + 1), 0) FROM outbox JOIN room ON room.no ="
                + " room_no AND id = '"
                + room
                + "'"));
  }

  private static Outcome.Accepted accepted(Outcome outcome) {
    return assertInstanceOf(Outcome.Accepted.class, outcome);
  }

  private static Outcome.Refused refused(Outcome outcome) {
    return assertInstanceOf(Outcome.Refused.class, outcome);
  }
}
