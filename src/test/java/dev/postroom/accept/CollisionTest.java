package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.room.RoomConfig;
import dev.postroom.testkit.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Somebody who does not lock the room gets in the way of an accept: the client hears nothing. */
class CollisionTest {
  private Accepting accepting;

  @BeforeEach
  void open() {
    accepting = new Accepting();
    accepting.room("a");
  }

  @AfterEach
  void close() {
    accepting.close();
  }

  @Test
  @DisplayName("I2, A1: a key written between lock and accept is the first, and ours a duplicate")
  void writtenBetweenLockAndAccept() throws SQLException {
    CompletableFuture<Outcome> result;
    try (Connection holder = accepting.holdBetweenLockAndAccept()) {
      result = accepting.submit(submission("ann", "a", "k", "x"));
      accepting.awaitWaiting(1);
      accepting.database.execute(raw("k"));
      holder.rollback();
    }
    assertDuplicateOfTheRawOne(result.join());
  }

  @Test
  @DisplayName("I2, A1: a violated key (23505) is looked up in a transaction of its own")
  void violated() throws SQLException {
    CompletableFuture<Outcome> result;
    CompletableFuture<Outcome> other;
    try (Connection raw = accepting.begin(raw("k"))) {
      result = accepting.submit(submission("ann", "a", "k", "x"));
      // It has not seen the key, and waits for what becomes of it.
      accepting.awaitWaiting(1);
      other = accepting.submit(submission("ann", "a", "k", "other"));
      raw.commit();
    }
    assertDuplicateOfTheRawOne(result.join());
    assertInstanceOf(Outcome.Conflict.class, other.join());
    assertEquals(1, accepting.metrics.collisions());
  }

  @Test
  @DisplayName("I2: if the one with the same key is rolled back, ours is the first")
  void rolledBack() throws SQLException {
    CompletableFuture<Outcome> result;
    try (Connection raw = accepting.begin(raw("k"))) {
      result = accepting.submit(submission("ann", "a", "k", "x"));
      accepting.awaitWaiting(1);
      raw.rollback();
    }
    Outcome.Accepted accepted = assertInstanceOf(Outcome.Accepted.class, result.join());
    assertFalse(accepted.duplicate());
    accepting.assertDense();
  }

  @Test
  @DisplayName("I6: a key forgotten between lock and accept is a new message with the next number")
  void forgottenBetweenLockAndAccept() throws SQLException {
    for (int n = 1; n <= 3; n++) {
      accepting.accept(submission("ann", "a", "k" + n, "x"));
    }
    accepting.database.execute(
        "DELETE FROM outbox; UPDATE message SET accepted_at = now() - interval '3 hours'");
    CompletableFuture<Outcome> forgotten;
    CompletableFuture<Outcome> fresh;
    try (Accepting elsewhere = accepting.beside();
        Connection holder = accepting.holdBetweenLockAndAccept()) {
      forgotten = accepting.submit(submission("ann", "a", "k2", "y"));
      accepting.awaitWaiting(1);
      pass("postroom.keep.text-for", "1H", "postroom.keep.keys-for", "2H");
      assertEquals(0, accepting.database.number("SELECT count(*) FROM message"));
      // The one has no lock, as its key was there; the other has.
      fresh = elsewhere.submit(submission("ann", "a", "k4", "y"));
      accepting.awaitWaiting(2);
      holder.rollback();
      for (CompletableFuture<Outcome> result : List.of(forgotten, fresh)) {
        assertFalse(assertInstanceOf(Outcome.Accepted.class, result.join()).duplicate());
      }
    }
    assertEquals(5, accepting.database.number("SELECT head FROM room"));
    assertEquals(4, accepting.database.number("SELECT min(seq) FROM message"));
    assertEquals(2, accepting.database.number("SELECT count(*) FROM message"));
    assertEquals(2, accepting.database.number("SELECT sum(last_seq - first_seq + 1) FROM outbox"));
  }

  @Test
  @DisplayName("K1: a deadlock (40P01) is tried again, and the client sees an acknowledgement")
  void deadlock() throws SQLException {
    CompletableFuture<Outcome> result;
    try (Connection raw = accepting.begin("SET LOCAL deadlock_timeout = '1min'")) {
      raw.createStatement().execute(raw("raw"));
      result = accepting.submit(submission("ann", "a", "k", "x"));
      // It holds the room and waits for the raw one's number; the raw one now asks for the room.
      accepting.awaitWaiting(1);
      raw.createStatement().execute("UPDATE room SET head = 1");
      raw.commit();
    }
    Outcome.Accepted accepted = assertInstanceOf(Outcome.Accepted.class, result.join());
    assertFalse(accepted.duplicate());
    assertEquals(2, accepted.message().seq());
    accepting.assertDense();
    // A session counts what has happened to it when it has something to do again.
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              accepting.accept(submission("ann", "a", "k", "x"));
              return accepting.database.number(
                      "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
                  == 1;
            });
  }

  private void assertDuplicateOfTheRawOne(Outcome outcome) {
    Outcome.Accepted accepted = assertInstanceOf(Outcome.Accepted.class, outcome);
    assertTrue(accepted.duplicate());
    assertEquals(1, accepted.message().seq());
    assertEquals("raw", accepted.message().authorName());
    assertEquals(1, accepting.database.number("SELECT count(*) FROM message"));
    assertEquals(0, accepting.database.number("SELECT count(*) FROM outbox"));
    assertEquals(0, accepting.announced.size());
  }

  /** A message of number 1, without the room's lock. */
  private static String raw(String key) {
    return """
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT no, 1, gen_random_uuid(), 'ann', '%s', 'raw', 1, 1, sha256('x'), 'x', now()
          FROM room WHERE id = 'a'"""
        .formatted(key);
  }

  private void pass(String... settings) {
    new Purge(
            accepting.testDb.db(),
            Settings.of(
                RoomConfig.class, Map.of(settings[0], settings[1], settings[2], settings[3])))
        .pass()
        .await()
        .atMost(Duration.ofMinutes(1));
  }
}
