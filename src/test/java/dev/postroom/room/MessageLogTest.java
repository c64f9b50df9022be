package dev.postroom.room;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MessageLogTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static EmbeddedPg.Database database;
  private static TestDb testDb;
  private static MessageLog log;
  private static Room room;

  @BeforeAll
  static void open() {
    database = EmbeddedPg.freshDatabase();
    testDb = TestDb.over(database);
    log = new MessageLog(testDb.db());
    room = new Rooms(testDb.db()).create(new RoomId("log"), null).await().atMost(PATIENCE);
    database.execute(
        """
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT %d, n, gen_random_uuid(), 'ann', 'k' || n, 'Ann', 1, 1, '\\x00',
               CASE WHEN n > 5 THEN 'text ' || n END, now()
          FROM generate_series(1, 25) n;
        UPDATE room SET head = 25, kept_from = 6
        """
            .formatted(room.no()));
  }

  @AfterAll
  static void close() {
    testDb.close();
  }

  @Test
  @DisplayName("R6: pages going back, joined together, are the room")
  void pagesBackwards() {
    List<Long> seqs = new ArrayList<>();
    long before = 26;
    for (List<Long> page = before(before); !page.isEmpty(); page = before(before)) {
      seqs.addAll(0, page);
      before = page.get(0);
    }
    assertEquals(range(6, 25), seqs);
  }

  @Test
  @DisplayName("N4: pages going forward are ascending and leave out what was purged")
  void pagesForwards() {
    assertEquals(range(6, 12), seqs(log.after(room, 0, 7).await().atMost(PATIENCE)));
    assertEquals(range(20, 25), seqs(log.after(room, 19, 7).await().atMost(PATIENCE)));
    assertEquals(List.of(), seqs(log.after(room, 25, 7).await().atMost(PATIENCE)));
  }

  @Test
  void aMessageIsReadAsStored() {
    RoomMessage message = log.after(room, 9, 1).await().atMost(PATIENCE).get(0);
    assertEquals(room.epoch(), message.epoch());
    assertEquals("ann", message.participant());
    assertEquals("Ann", message.authorName());
    assertEquals("k10", message.clientMessageId());
    assertEquals("text 10", message.text());
  }

  private static List<Long> before(long before) {
    return seqs(log.before(room, before, 7).await().atMost(PATIENCE));
  }

  private static List<Long> seqs(List<RoomMessage> messages) {
    return messages.stream().map(RoomMessage::seq).toList();
  }

  private static List<Long> range(long first, long last) {
    List<Long> range = new ArrayList<>();
    for (long n = first; n <= last; n++) {
      range.add(n);
    }
    return range;
  }
}
