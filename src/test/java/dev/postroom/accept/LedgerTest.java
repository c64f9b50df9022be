package dev.postroom.accept;

import static dev.postroom.accept.Accepting.await;
import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.accept.Ledger.Entry;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LedgerTest {
  private Accepting accepting;

  @BeforeEach
  void open() {
    accepting = new Accepting();
    accepting.room("a", "b", "c");
  }

  @AfterEach
  void close() {
    accepting.close();
  }

  @Test
  @DisplayName("A4: message, number and outbox record are there together")
  void first() {
    Entry.Kept kept = kept(accepting.write(submission("ann", "a", "k1", "hello")).get(0));
    assertEquals(1, kept.message().seq());
    assertEquals(1, kept.room().head());
    assertEquals(kept.room().epoch(), kept.message().epoch());
    assertArrayEquals(ContentHash.of("hello"), kept.contentHash());
    assertEquals(1, count("SELECT count(*) FROM outbox WHERE first_seq = 1 AND last_seq = 1"));
    assertEquals(1, count("SELECT count(*) FROM message WHERE seq = 1 AND text = 'hello'"));
  }

  @Test
  @DisplayName("A2, ACC-08: a repeat gets all of the first result, whatever its name is by now")
  void repeat() {
    Entry.Kept first = kept(accepting.write(submission("ann", "a", "k1", "hello")).get(0));
    Entry.Kept again = kept(accepting.write(submission("ann", "a", "k1", "hello")).get(0));
    assertEquals(
        first,
        new Entry.Kept(first.room(), again.message(), again.hashRule(), first.contentHash()));
    assertEquals(first.room(), again.room());
  }

  @Test
  @DisplayName("A2, R4: a repeat gets its epoch of then, also when there is a new one")
  void repeatAcrossEpochs() {
    Entry.Kept first = kept(accepting.write(submission("ann", "a", "k1", "hello")).get(0));
    accepting.database.execute(
        "INSERT INTO lineage (mark, system_identifier, timeline, home, reason) SELECT mark + 1,"
            + " system_identifier, timeline, home, 'test' FROM lineage");
    Entry.Kept again = kept(accepting.write(submission("ann", "a", "k1", "hello")).get(0));
    Entry.Kept later = kept(accepting.write(submission("ann", "a", "k2", "hello")).get(0));
    assertEquals(first.message(), again.message());
    assertNotEquals(first.room().epoch(), again.room().epoch());
    assertEquals(later.room().epoch(), later.message().epoch());
  }

  @Test
  @DisplayName("A2, ACC-14: pure repeats write no WAL and take no lock")
  void repeatsWriteNothing() throws SQLException {
    List<Submission> submissions = new ArrayList<>();
    for (int n = 0; n < 50; n++) {
      submissions.add(submission("ann", n % 2 == 0 ? "a" : "b", "k" + n, "text " + n));
    }
    Submission[] batch = submissions.toArray(Submission[]::new);
    accepting.write(batch);
    accepting.write(batch);
    try (Connection holder = accepting.database.connect()) {
      holder.setAutoCommit(false);
      holder.createStatement().execute("SELECT * FROM room FOR UPDATE");
      // The server has work of its own now and then; what repeats wrote would be in every round.
      long least = Long.MAX_VALUE;
      for (int round = 0; round < 10 && least >= 1024; round++) {
        long before = count("SELECT pg_current_wal_insert_lsn() - '0/0'");
        for (int n = 0; n < 5; n++) {
          accepting.write(batch);
        }
        least = Math.min(least, count("SELECT pg_current_wal_insert_lsn() - '0/0'") - before);
      }
      // The server's own records of running transactions, if any, are below 1 KiB.
      assertTrue(least < 1024, "WAL for 250 repeats: " + least);
    }
    assertEquals(50, count("SELECT sum(head) FROM room"));
    assertEquals(50, count("SELECT sum(last_seq - first_seq + 1) FROM outbox"));
  }

  @Test
  @DisplayName("A3, ACC-09: other content changes nothing and shows the first")
  void otherContent() {
    Entry.Kept first = kept(accepting.write(submission("ann", "a", "k1", "yes")).get(0));
    Entry.Kept other = kept(accepting.write(submission("ann", "a", "k1", "no")).get(0));
    assertEquals(first.message().messageId(), other.message().messageId());
    assertArrayEquals(first.contentHash(), other.contentHash());
    assertEquals(1, count("SELECT count(*) FROM message WHERE text = 'yes'"));
    assertEquals(1, count("SELECT max(head) FROM room"));
  }

  @Test
  @DisplayName("ACC-07, I10: participant, room and id are three axes")
  void threeAxes() {
    List<Entry> entries =
        accepting.write(
            submission("ann", "a", "1", "x"),
            submission("bob", "a", "1", "x"),
            submission("ann", "b", "1", "x"),
            submission("ann", "a", "2", "x"));
    assertEquals(
        List.of(1L, 2L, 1L, 3L), entries.stream().map(e -> kept(e).message().seq()).toList());
  }

  @Test
  @DisplayName("N1: numbers follow the order of the batch in each room")
  void numbersFollowTheBatch() {
    List<Submission> submissions = new ArrayList<>();
    for (int n = 0; n < 90; n++) {
      submissions.add(submission("p" + n % 7, List.of("a", "b", "c").get(n % 3), "k" + n, "x"));
    }
    List<Entry> entries = accepting.write(submissions.toArray(Submission[]::new));
    for (String room : List.of("a", "b", "c")) {
      assertEquals(
          LongStream.rangeClosed(1, 30).boxed().toList(),
          entries.stream()
              .map(LedgerTest::kept)
              .filter(kept -> kept.room().id().value().equals(room))
              .map(kept -> kept.message().seq())
              .toList());
    }
    assertTrue(entries.stream().allMatch(entry -> kept(entry).room().head() == 30));
  }

  @Test
  @DisplayName("a batch of everything: each its own verdict")
  void mixed() {
    accepting.write(submission("ann", "a", "old", "x"));
    List<Entry> entries =
        accepting.write(
            new Submission("s", Accepting.principal("ann"), "b", "stale", "x", 5L),
            submission("ann", "nowhere", "k", "x"),
            submission("ann", "a", "old", "x"),
            submission("ann", "a", "new", "x"),
            new Submission("s", Accepting.principal("ann"), "c", "fits", "x", 0L));
    assertEquals(0, assertInstanceOf(Entry.Stale.class, entries.get(0)).room().head());
    assertInstanceOf(Entry.NoRoom.class, entries.get(1));
    assertEquals(1, kept(entries.get(2)).message().seq());
    assertEquals(2, kept(entries.get(3)).message().seq());
    assertEquals(1, kept(entries.get(4)).message().seq());
  }

  @Test
  @DisplayName("R4: a closed room is no room; made again it numbers from 1")
  void closedRoom() {
    accepting.write(submission("ann", "a", "k1", "x"));
    accepting.database.execute("UPDATE room SET closed_at = now() WHERE id = 'a'");
    assertInstanceOf(Entry.NoRoom.class, accepting.write(submission("ann", "a", "k1", "x")).get(0));
    accepting.room("a");
    assertEquals(
        1, kept(accepting.write(submission("ann", "a", "k1", "x")).get(0)).message().seq());
  }

  @Test
  @DisplayName("R10: rooms are locked in the order of their numbers, whatever the batch's order")
  void lockOrder() throws SQLException {
    try (Connection holder = accepting.database.connect();
        Connection onlooker = accepting.database.connect()) {
      holder.setAutoCommit(false);
      holder.createStatement().execute("SELECT * FROM room WHERE id = 'b' FOR UPDATE");
      Future<List<Entry>> write =
          accepting.ledger.write(
              List.of(
                  command(submission("ann", "c", "k", "x")),
                  command(submission("ann", "b", "k", "x")),
                  command(submission("ann", "a", "k", "x"))),
              List.of());
      Awaitility.await().until(() -> !isFree(onlooker, "a"));
      assertTrue(isFree(onlooker, "c"));
      holder.rollback();
      assertEquals(3, await(write).size());
    }
  }

  @Test
  @DisplayName("K1: batches with common rooms in other orders never deadlock")
  void noDeadlocks() {
    List<String> rooms = new ArrayList<>();
    for (int n = 0; n < 20; n++) {
      rooms.add("k1-" + n);
    }
    accepting.room(rooms.toArray(String[]::new));
    List<Future<List<Entry>>> writes = new ArrayList<>();
    for (int n = 0; n < 200; n++) {
      Collections.shuffle(rooms, new java.util.Random(n));
      String id = "k" + n;
      writes.add(
          accepting.ledger.write(
              rooms.stream().map(room -> command(submission("ann", room, id, "x"))).toList(),
              List.of()));
    }
    await(Future.join(writes));
    assertEquals(4000, count("SELECT count(*) FROM message"));
    assertEquals(
        0, count("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"));
  }

  private static boolean isFree(Connection onlooker, String room) throws SQLException {
    try (var rows =
        onlooker
            .createStatement()
            .executeQuery(
                "SELECT 1 FROM room WHERE id = '" + room + "' FOR NO KEY UPDATE SKIP LOCKED")) {
      return rows.next();
    }
  }

  private static Command command(Submission submission) {
    return new Command(submission, false, outcome -> assertFalse(true));
  }

  private long count(String sql) {
    return accepting.database.number(sql);
  }

  private static Entry.Kept kept(Entry entry) {
    return assertInstanceOf(Entry.Kept.class, entry);
  }
}
