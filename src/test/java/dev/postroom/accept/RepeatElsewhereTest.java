package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.mutiny.Uni;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The same key at two nodes while the first copy has no answer yet. */
class RepeatElsewhereTest {
  private static final Submission SAME = submission("ann", "a", "k", "x");

  private Accepting one;
  private Accepting two;

  @BeforeEach
  void open() {
    one = new Accepting();
    two = one.beside();
    one.room("a");
  }

  @AfterEach
  void close() {
    two.close();
    one.close();
  }

  @Test
  @DisplayName("ACC-02, A5: held for a moment, the same key at two nodes is first and duplicate")
  void heldForAMoment() throws SQLException {
    List<CompletableFuture<Outcome>> results;
    try (Connection holder = one.hold("a")) {
      results = atBoth(SAME, SAME);
      one.awaitWaiting(2);
      holder.rollback();
    }
    assertFirstAndDuplicate(results);
  }

  @Test
  @DisplayName("ACC-02: held for too long both are refused for now, and repeated they are one")
  void heldForTooLong() throws SQLException {
    refusedAtBoth();
    CompletableFuture<Outcome> atTwo = CompletableFuture.supplyAsync(() -> repeatAsTold(two));
    Outcome atOne = repeatAsTold(one);
    assertFirstAndDuplicate(List.of(CompletableFuture.completedFuture(atOne), atTwo));
  }

  @Test
  @DisplayName("ACC-14: after retryAfterMs the first repeat is accepted")
  void asTold() throws SQLException {
    pause(refusedAtBoth());
    assertFirstAndDuplicate(
        List.of(
            CompletableFuture.completedFuture(one.accept(SAME)),
            CompletableFuture.completedFuture(two.accept(SAME))));
  }

  @Test
  @DisplayName("I5, A3: other content while the first still runs waits, and is a conflict then")
  void otherContent() throws SQLException {
    List<CompletableFuture<Outcome>> results;
    try (Connection holder = one.hold("a")) {
      results = atBoth(SAME, submission("ann", "a", "k", "y"));
      one.awaitWaiting(2);
      assertFalse(results.get(0).isDone() || results.get(1).isDone());
      holder.rollback();
    }
    // Either may have been the first.
    List<Outcome> outcomes = results.stream().map(CompletableFuture::join).toList();
    Outcome.Accepted accepted = only(Outcome.Accepted.class, outcomes);
    assertFalse(accepted.duplicate());
    assertEquals(
        new Outcome.Conflict(accepted.message().messageId(), 1),
        only(Outcome.Conflict.class, outcomes));
    assertEquals(
        1,
        one.database.number(
            "SELECT count(*) FROM message WHERE text = '" + accepted.message().text() + "'"));
    one.assertDense();
  }

  /** The longest of the pauses that both are told, when the room is free again. */
  private long refusedAtBoth() throws SQLException {
    long pause = 0;
    try (Connection holder = one.hold("a")) {
      for (CompletableFuture<Outcome> result : atBoth(SAME, SAME)) {
        pause = Math.max(pause, pauseToldBy(result.join()));
      }
      holder.rollback();
    }
    assertEquals(0, one.database.number("SELECT count(*) FROM message"));
    return pause;
  }

  private static Outcome repeatAsTold(Accepting node) {
    Outcome outcome = node.accept(SAME);
    while (!(outcome instanceof Outcome.Accepted)) {
      pause(pauseToldBy(outcome));
      outcome = node.accept(SAME);
    }
    return outcome;
  }

  private static long pauseToldBy(Outcome outcome) {
    Outcome.Refused refused = assertInstanceOf(Outcome.Refused.class, outcome);
    assertTrue(refused.code().temporary(), refused.code().wire());
    long pause = Objects.requireNonNull(refused.retryAfterMs());
    assertTrue(pause > 0);
    return pause;
  }

  private static void pause(long millis) {
    Uni.createFrom()
        .voidItem()
        .onItem()
        .delayIt()
        .by(Duration.ofMillis(millis))
        .await()
        .indefinitely();
  }

  private List<CompletableFuture<Outcome>> atBoth(Submission atOne, Submission atTwo) {
    return List.of(one.submit(atOne), two.submit(atTwo));
  }

  private void assertFirstAndDuplicate(List<CompletableFuture<Outcome>> results) {
    List<Outcome.Accepted> accepted =
        results.stream()
            .map(result -> assertInstanceOf(Outcome.Accepted.class, result.join()))
            .toList();
    assertEquals(accepted.get(0).message(), accepted.get(1).message());
    assertTrue(accepted.get(0).duplicate() ^ accepted.get(1).duplicate());
    assertEquals(1, one.database.number("SELECT count(*) FROM message"));
    assertEquals(1, one.announced.size() + two.announced.size());
    one.assertDense();
  }

  private static <T> T only(Class<T> type, List<Outcome> outcomes) {
    List<T> found = outcomes.stream().filter(type::isInstance).map(type::cast).toList();
    assertEquals(1, found.size(), () -> "of " + outcomes);
    return found.get(0);
  }
}
