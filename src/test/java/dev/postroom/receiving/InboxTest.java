package dev.postroom.receiving;

import static dev.postroom.receiving.Consumer.gap;
import static dev.postroom.receiving.Consumer.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.receiving.Inbox.Verdict;
import dev.postroom.testkit.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recipe of docs/receiving.md on a real PostgreSQL. */
class InboxTest {
  private final Consumer consumer = new Consumer();
  private final Inbox inbox = consumer.inbox("a");

  private static Event event(String json) {
    try {
      return Event.read(json.getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Verdict take(String json) throws SQLException {
    return inbox.take(event(json));
  }

  @Test
  @DisplayName("D17: what was seen before a restart is a repeat after it")
  void restart() throws SQLException {
    assertEquals(Verdict.TAKEN, take(message(1, "one")));
    assertEquals(Verdict.REPEAT, consumer.inbox("a").take(event(message(1, "one"))));
    assertEquals(List.of("1 one"), consumer.applied("a"));
  }

  @Test
  @DisplayName("D16: two messages with equal text are two")
  void equalTexts() throws SQLException {
    assertEquals(Verdict.TAKEN, take(message(1, "same")));
    assertEquals(Verdict.TAKEN, take(message(2, "same")));
    assertEquals(List.of("1 same", "2 same"), consumer.applied("a"));
  }

  @Test
  @DisplayName("X1: a crash between the inbox row and the effect takes both back")
  void crashBeforeTheEffect() throws SQLException {
    consumer.before =
        (transaction, event) -> {
          try (Statement statement = transaction.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pg_backend_pid())");
          }
        };
    assertThrows(SQLException.class, () -> take(message(1, "one")));
    consumer.before = (transaction, event) -> {};
    assertEquals(Verdict.TAKEN, take(message(1, "one")));
    assertEquals(List.of("1 one"), consumer.applied("a"));
  }

  @ParameterizedTest
  @DisplayName("X2: delivered again while the first run is still ending: once, however it ends")
  @ValueSource(booleans = {true, false})
  void againWhileTheFirstEnds(boolean firstFails) throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    consumer.before =
        (transaction, event) -> {
          if (runs.incrementAndGet() == 1) {
            inside.countDown();
            await(go);
            if (firstFails) {
              throw new SQLException("the first run fails");
            }
          }
        };
    CompletableFuture<Verdict> first = CompletableFuture.supplyAsync(this::takeOne);
    await(inside);
    CompletableFuture<Verdict> second = CompletableFuture.supplyAsync(this::takeOne);
    Awaitility.await("the second waits").until(() -> consumer.waiting() == 1);
    go.countDown();
    assertEquals(firstFails ? Verdict.TAKEN : Verdict.REPEAT, second.get(30, TimeUnit.SECONDS));
    assertEquals(firstFails, first.handle((verdict, failure) -> failure != null).get());
    assertEquals(List.of("1 one"), consumer.applied("a"));
  }

  private Verdict takeOne() {
    try {
      return take(message(1, "one"));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody came");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("X4: two consumers of one inbox table do not take each other's events away")
  void twoConsumers() throws SQLException {
    Inbox other = consumer.inbox("b");
    assertEquals(Verdict.TAKEN, take(message(1, "one")));
    assertEquals(Verdict.TAKEN, other.take(event(message(1, "one"))));
    assertEquals(Verdict.REPEAT, other.take(event(message(1, "one"))));
    assertEquals(consumer.applied("a"), consumer.applied("b"));
  }

  @Test
  @DisplayName("X5: a repeat among many refuses none of the others")
  void batch() throws SQLException {
    take(message(1, "one"));
    take(message(2, "two"));
    List<Event> page =
        List.of(
            event(message(2, "two")),
            event(message(3, "three")),
            event(message(3, "three")),
            event(message(4, "four")));
    assertEquals(
        List.of(Verdict.REPEAT, Verdict.TAKEN, Verdict.REPEAT, Verdict.TAKEN), inbox.takeAll(page));
    assertEquals(List.of("1 one", "2 two", "3 three", "4 four"), consumer.applied("a"));
  }

  @Test
  @DisplayName("the wall: below it a repeat, though its inbox row is long gone; above it ahead")
  void wall() throws SQLException {
    // A sink that begins now: the first number is any.
    assertEquals(Verdict.TAKEN, take(message(7, "seven")));
    assertEquals(Verdict.AHEAD, take(message(9, "nine")));
    assertEquals(8, inbox.next(event(message(9, "nine"))));
    consumer.database.execute("DELETE FROM inbox");
    assertEquals(Verdict.REPEAT, take(message(7, "seven")));
    assertEquals(Verdict.TAKEN, take(message(8, "eight")));
    assertEquals(Verdict.TAKEN, take(message(9, "nine")));
    assertEquals(List.of("7 seven", "8 eight", "9 nine"), consumer.applied("a"));
  }

  @Test
  @DisplayName("a gap is remembered as a hole; what comes late fills it, once")
  void gapAndLate() throws SQLException {
    take(message(1, "one"));
    assertEquals(Verdict.TAKEN, take(gap(2)));
    assertEquals(Verdict.REPEAT, take(gap(2)));
    assertEquals(Verdict.TAKEN, take(message(3, "three")));
    assertEquals(Verdict.TAKEN, take(message("e1", 2, "two", true)));
    consumer.database.execute("DELETE FROM inbox");
    assertEquals(Verdict.REPEAT, take(message("e1", 2, "two", true)));
    assertEquals(Verdict.REPEAT, take(message("e1", 3, "three", true)));
    assertEquals(List.of("1 one", "3 three", "2 two"), consumer.applied("a"));
  }

  @Test
  @DisplayName("R4: another epoch has another wall; what comes of the old one is judged by the old")
  void epochs() throws SQLException {
    take(message("e1", 1, "one", false));
    take(message("e1", 2, "lost by a failover", false));
    assertEquals(Verdict.TAKEN, take(message("e2", 2, "two", false)));
    assertEquals(Verdict.TAKEN, take(message("e2", 3, "three", false)));
    assertEquals(Verdict.REPEAT, take(message("e1", 1, "one", false)));
    assertEquals(
        List.of("1 one", "2 lost by a failover", "2 two", "3 three"), consumer.applied("a"));
  }

  @Test
  @DisplayName("H2: at least once, in order, with faults anywhere: applied once, in order")
  void anyFaults() throws SQLException {
    Random random = new Random(Seed.pick("InboxTest"));
    consumer.before =
        (transaction, event) -> {
          if (random.nextInt(4) == 0) {
            throw new SQLException("by chance");
          }
        };
    List<String> wanted = new ArrayList<>();
    for (int n = 1; n <= 60; n++) {
      wanted.add(n + " text " + n);
    }
    int next = 1;
    while (next <= 60) {
      // The sender goes on after a success, and sometimes does not learn of it.
      int seq = random.nextInt(3) == 0 ? 1 + random.nextInt(next) : next;
      try {
        Verdict verdict = consumer.inbox("a").take(event(message(seq, "text " + seq)));
        next += seq == next && verdict != Verdict.AHEAD && random.nextInt(5) > 0 ? 1 : 0;
      } catch (SQLException again) {
        // The same will be sent again.
      }
    }
    assertEquals(wanted, consumer.applied("a"));
  }
}
