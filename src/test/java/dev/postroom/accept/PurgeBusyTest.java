package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.postroom.room.RoomConfig;
import dev.postroom.testkit.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The purge among others who want the same rooms: it waits for nobody, and nobody long for it. */
class PurgeBusyTest {
  private static final Map<String, String> KEEP =
      Map.of("postroom.keep.text-count", "100", "postroom.keep.keys-for", "1H");

  private Accepting accepting;

  @BeforeEach
  void open() {
    accepting = new Accepting();
    accepting.room("a", "b", "closed");
    accepting.database.execute(
        """
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT no, n, gen_random_uuid(), 'ann', 'k' || n, 'Ann', 1, 1, sha256('x'), 'x',
               now() - interval '2 hours'
          FROM room, generate_series(1, 2500) n;
        UPDATE room SET head = 2500;
        UPDATE room SET closed_at = now() - interval '2 days' WHERE id = 'closed'
        """);
  }

  @AfterEach
  void close() {
    accepting.close();
  }

  @Test
  @DisplayName("K3, K7: a pass goes round a held room to its end, and the next one finishes")
  void heldRoom() throws SQLException {
    try (Connection holder = accepting.hold("a")) {
      // Whoever waited for the lock would fail at its timeout, and leave the rest undone.
      pass();
      assertEquals(2500, texts("a"));
      assertEquals(100, texts("b"));
      assertEquals(100, messages("b"));
      assertEquals(0, count("SELECT count(*) FROM room WHERE id = 'closed'"));
      holder.rollback();
    }
    pass();
    assertEquals(100, texts("a"));
    assertEquals(100, messages("a"));
    assertEquals(200, count("SELECT count(*) FROM message"));
  }

  @Test
  @DisplayName("K3, K7: a held closed room, and one of a held lane, keep no other from its end")
  void heldClosedRooms() throws SQLException {
    accepting.database.execute(
        """
        INSERT INTO sink (id, type, name, rooms, likes, target, format, poison, state)
        VALUES ('s', 'webhook', 's', '{}', '{%}', '', 'structured', 'block', 'active');
        INSERT INTO room (id, nonce, closed_at)
        SELECT 'closed' || n, 7, now() - interval '2 days' FROM generate_series(1, 5) n;
        INSERT INTO lane (sink_no, room_no, next_seq, known_seq, state)
        SELECT 1, no, 1, 0, 'idle' FROM room WHERE closed_at IS NOT NULL
        """);
    try (Connection room = accepting.hold("closed2");
        Connection lane =
            accepting.begin(
                "SELECT 1 FROM lane JOIN room ON no = room_no AND id = 'closed4'"
                    + " FOR UPDATE OF lane")) {
      pass();
      assertEquals(2, count("SELECT count(*) FROM room WHERE closed_at IS NOT NULL"));
      assertEquals(
          2, count("SELECT count(*) FROM lane JOIN room ON no = room_no"), "with their lanes");
      assertEquals(2, count("SELECT count(*) FROM lane"));
      room.rollback();
      lane.rollback();
    }
    pass();
    assertEquals(0, count("SELECT count(*) FROM room WHERE closed_at IS NOT NULL"));
    assertEquals(0, count("SELECT count(*) FROM lane"));
  }

  @Test
  @DisplayName("K3, K7: under load from two nodes nothing is refused, lost or kept too long")
  void underLoad() {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger passes = new AtomicInteger();
    CompletableFuture<Void> purging =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                handOver();
                pass();
                passes.incrementAndGet();
              }
            },
            task -> new Thread(task).start());
    int sent = 0;
    try (Accepting elsewhere = accepting.beside()) {
      while (sent < 3_000 || passes.get() < 3) {
        List<CompletableFuture<Outcome>> window = new ArrayList<>();
        for (int n = 0; n < 100; n++) {
          Accepting node = n % 2 == 0 ? accepting : elsewhere;
          window.add(node.submit(submission("bob", n % 3 == 0 ? "b" : "a", "k" + sent++, "x")));
        }
        window.forEach(outcome -> assertInstanceOf(Outcome.Accepted.class, outcome.join()));
      }
    } finally {
      over.set(true);
    }
    purging.join();
    handOver();
    pass();
    assertEquals(5_000 + sent, count("SELECT sum(head) FROM room"));
    for (String room : List.of("a", "b")) {
      assertEquals(100, texts(room));
      // Of the old ones no key is left, of the young ones every key.
      assertEquals(count("SELECT head - 2500 FROM room WHERE id = '" + room + "'"), messages(room));
    }
    assertEquals(
        0,
        count(
            "SELECT count(*) FROM room WHERE kept_from <> head - 99"
                + " OR (SELECT max(seq) FROM message WHERE room_no = no) <> head"));
  }

  private void pass() {
    new Purge(accepting.testDb.db(), Settings.of(RoomConfig.class, KEEP))
        .pass()
        .await()
        .atMost(Duration.ofMinutes(1));
  }

  /** What a relay does where there is no sink. */
  private void handOver() {
    accepting.database.execute("DELETE FROM outbox");
  }

  private long texts(String room) {
    return count("SELECT count(text) FROM message JOIN room ON no = room_no AND id = '%s'", room);
  }

  private long messages(String room) {
    return count("SELECT count(*) FROM message JOIN room ON no = room_no AND id = '%s'", room);
  }

  private long count(String sql, Object... arguments) {
    return accepting.database.number(sql.formatted(arguments));
  }
}
