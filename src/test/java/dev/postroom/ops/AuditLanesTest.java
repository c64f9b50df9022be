package dev.postroom.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.Settings;
import dev.postroom.testkit.TestDb;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S5: the audit says where the hand-over stands, and finds what it has lost sight of. */
class AuditLanesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private EmbeddedPg.Database database;
  private TestDb testDb;
  private Room room;

  @BeforeEach
  void tenMessagesAndTwoSinks() {
    database = EmbeddedPg.freshDatabase();
    testDb = TestDb.over(database);
    room = await(new Rooms(testDb.db()).create(new RoomId("case_1"), null));
    database.execute(
        """
        INSERT INTO message SELECT %1$d, seq, gen_random_uuid(), 'alice', 'c' || seq, 'Alice', 1, 1,
          '\\x00', 'text', now() FROM generate_series(1, 10) AS seq;
        UPDATE room SET head = 10 WHERE no = %1$d;
        INSERT INTO sink (id, type, name, rooms, likes, target, format, poison, deleted_at)
        SELECT id, 'webhook', id, '{}', ARRAY[likeness], '', 'structured', 'block', gone
          FROM (VALUES ('snk_one', '%%', NULL), ('snk_two', 'case\\_%%', NULL),
                       ('snk_other', 'caseX1', NULL), ('snk_gone', '%%', now()))
               AS given (id, likeness, gone);
        INSERT INTO lane (sink_no, room_no, next_seq, known_seq, state, due_at)
        SELECT no, %1$d, 11, 10, 'idle', NULL FROM sink WHERE id IN ('snk_one', 'snk_two')
        """
            .formatted(room.no()));
  }

  @AfterEach
  void close() {
    testDb.close();
  }

  @Test
  @DisplayName("S5: every live sink's position is told, and in one line")
  void positions() {
    database.execute(
        "UPDATE lane SET next_seq = 4, state = 'parked' FROM sink"
            + " WHERE no = sink_no AND id = 'snk_two';"
            + "UPDATE sink SET state = 'paused' WHERE id = 'snk_one';"
            + "INSERT INTO dead_letter (sink_no, room_no, seq, reason, first_failed_at)"
            + " SELECT no, %d, 2, 'too big', now() FROM sink WHERE id = 'snk_two'"
                .formatted(room.no()));

    AuditReport report = audited();

    assertEquals(
        List.of(
            new AuditReport.Lane("snk_one", "idle", true, 11, 10, 0, 0, null),
            new AuditReport.Lane("snk_two", "parked", false, 4, 10, 7, 1, null)),
        report.lanes());
    assertEquals(
        "case_1 is clean: numbers 1 to 10 dense, keys unique, outbox complete;"
            + " sink snk_one (paused) has all up to 10;"
            + " sink snk_two is parked at 4 with 7 pending, dead letters: 1.",
        report.getSentence());
  }

  @Test
  @DisplayName("H1, S5: a lane that nobody will tell of the newest messages is found")
  void forgotten() {
    database.execute("UPDATE lane SET known_seq = 9, next_seq = 10");

    AuditReport report = audited();

    assertFalse(report.isClean());
    assertEquals(new AuditReport.Outbox(0, 0, 0, 2), report.outbox());
    assertTrue(
        report
            .getSentence()
            .startsWith(
                "case_1 is NOT clean: the lane to sink snk_one does not know of the messages up to"
                    + " the head"),
        report.getSentence());
  }

  @Test
  @DisplayName("S5: what waits in the outbox is not lost, also before there is a lane")
  void waiting() {
    bell(9, 10);
    database.execute(
        "UPDATE lane SET known_seq = 8, next_seq = 9;"
            + "DELETE FROM lane USING sink WHERE no = sink_no AND id = 'snk_two'");

    AuditReport report = audited();

    assertTrue(report.isClean(), report.getSentence());
    assertEquals(new AuditReport.Outbox(2, 0, 0, 0), report.outbox());
    assertEquals(1, report.lanes().get(1).nextSeq());
  }

  @Test
  @DisplayName("A4: outbox records that overlap, or go beyond the head, are found")
  void bells() {
    bell(1, 4);
    bell(3, 3);
    bell(4, 5);
    bell(10, 11);

    assertEquals(new AuditReport.Outbox(9, 2, 1, 0), audited().outbox());
  }

  @Test
  @DisplayName("S5: a lane beyond what there is, and one whose text is gone, are at fault")
  void impossible() {
    database.execute("UPDATE lane SET next_seq = 12");
    assertEquals("is further than what it knows of", audited().lanes().get(0).fault());

    database.execute("UPDATE lane SET known_seq = 11");
    assertEquals("knows of messages beyond the head", audited().lanes().get(0).fault());

    database.execute(
        "UPDATE lane SET known_seq = 10, next_seq = 3; UPDATE message SET text = NULL WHERE seq < 5;"
            + "UPDATE room SET kept_from = 5");
    assertEquals("waits for text that is purged", audited().lanes().get(0).fault());

    database.execute("UPDATE lane SET next_seq = 5, state = 'ready', due_at = now()");
    assertNull(audited().lanes().get(0).fault());
  }

  @Test
  @DisplayName("H1, S5: a lane that nobody will come back to is found")
  void atRest() {
    database.execute("UPDATE lane SET next_seq = 7");
    assertEquals(
        "is at rest with messages still to be handed over", audited().lanes().get(0).fault());
    database.execute("UPDATE lane SET state = 'parked'");
    assertNull(audited().lanes().get(0).fault(), "that is seen, and has a reason");
  }

  private void bell(int first, int last) {
    database.execute(
        "INSERT INTO outbox (room_no, first_seq, last_seq) VALUES (%d, %d, %d)"
            .formatted(room.no(), first, last));
  }

  private AuditReport audited() {
    OpsConfig config =
        Settings.of(
            OpsConfig.class, Map.of("postroom.ops.audit-deadline", PATIENCE.toSeconds() + "s"));
    return await(new Audit(testDb.db(), config).of(room));
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(PATIENCE);
  }
}
