package dev.postroom.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.db.Faults;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.Settings;
import dev.postroom.testkit.TestDb;
import io.smallrye.mutiny.Uni;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S5: the audit finds what is wrong, in tables whose constraints have been taken away. */
class AuditTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private EmbeddedPg.Database database;
  private TestDb testDb;
  private Room room;

  @BeforeEach
  void tenMessages() {
    database = EmbeddedPg.freshDatabase();
    testDb = TestDb.over(database);
    room = await(new Rooms(testDb.db()).create(new RoomId("lobby"), null));
    await(new Rooms(testDb.db()).create(new RoomId("other"), null));
    database.execute(messages(room.no(), 1, 10));
    database.execute(messages(room.no() + 1, 1, 3));
  }

  @AfterEach
  void close() {
    testDb.close();
  }

  @Test
  @DisplayName("S5: a room in order is clean, and the sentence says so")
  void clean() {
    AuditReport report = audited();

    assertTrue(report.isClean());
    assertEquals(
        "lobby is clean: numbers 1 to 10 dense, keys unique, outbox complete.",
        report.getSentence());
  }

  @Test
  @DisplayName("S5: an empty room is clean")
  void empty() {
    database.execute("DELETE FROM message; UPDATE room SET head = 0");

    assertEquals(
        "lobby is clean: no messages, keys unique, outbox complete.", audited().getSentence());
  }

  @Test
  @DisplayName("N1: holes are counted, and the first is named")
  void hole() {
    database.execute("DELETE FROM message WHERE seq IN (4, 5, 8)");

    assertEquals(new AuditReport.Numbers(3, 4L, 0, 0), audited().numbers());
  }

  @Test
  @DisplayName("N1: a hole at the very beginning is one")
  void holeAtTheBeginning() {
    database.execute("DELETE FROM message WHERE seq = 1");

    assertEquals(new AuditReport.Numbers(1, 1L, 0, 0), audited().numbers());
  }

  @Test
  @DisplayName("N1: a number used twice is found")
  void numberTwice() {
    database.execute(
        "ALTER TABLE message DROP CONSTRAINT message_number;"
            + "UPDATE message SET seq = 6 WHERE seq = 7");

    assertEquals(new AuditReport.Numbers(1, 7L, 1, 0), audited().numbers());
  }

  @Test
  @DisplayName("N1: a head that was burnt ahead of the messages is found")
  void headTooHigh() {
    database.execute("UPDATE room SET head = 12");

    assertEquals(new AuditReport.Numbers(2, 11L, 0, 0), audited().numbers());
  }

  @Test
  @DisplayName("N1: a head that stayed behind the messages is found")
  void headTooLow() {
    database.execute("UPDATE room SET head = 8");

    assertEquals(new AuditReport.Numbers(0, null, 0, 2), audited().numbers());
  }

  @Test
  @DisplayName("A1: a key with two messages is found")
  void keyTwice() {
    database.execute(
        "ALTER TABLE message DROP CONSTRAINT message_command_key;"
            + "UPDATE message SET client_message_id = 'c3' WHERE seq = 9");

    AuditReport report = audited();

    assertEquals(new AuditReport.Keys(1), report.keys());
    assertEquals(
        "lobby is NOT clean: 1 command keys with more than one message.", report.getSentence());
  }

  @Test
  @DisplayName("A1: two participants may use one id")
  void sameIdOfTwo() {
    database.execute(
        "UPDATE message SET client_message_id = 'c3', participant = 'bob' WHERE seq = 9");

    assertTrue(audited().isClean());
  }

  @Test
  @DisplayName("S5: a text that is gone though it should be kept is found")
  void textMissing() {
    database.execute("UPDATE message SET text = NULL WHERE seq = 2");

    assertEquals(new AuditReport.Texts(1), audited().texts());
  }

  @Test
  @DisplayName("S5: a room whose oldest texts are purged is clean")
  void purgedTexts() {
    database.execute(
        "UPDATE message SET text = NULL WHERE seq < 6;" + "UPDATE room SET kept_from = 6");

    assertTrue(audited().isClean());
  }

  @Test
  @DisplayName("S5: a room whose oldest keys are purged is clean from there on")
  void purgedKeys() {
    database.execute(
        "DELETE FROM message WHERE seq < 6; UPDATE room SET keys_from = 6, kept_from = 6");

    AuditReport report = audited();

    assertEquals(
        "lobby is clean: numbers 6 to 10 dense, keys unique, outbox complete.",
        report.getSentence());
  }

  @Test
  @DisplayName("S5: a room purged to the last key is clean")
  void purgedToTheHead() {
    database.execute(
        "DELETE FROM message; UPDATE room SET keys_from = head + 1, kept_from = head + 1");

    assertTrue(audited().isClean());
  }

  @Test
  @DisplayName("S5: a closed room has no report")
  void closed() {
    database.execute("UPDATE room SET closed_at = now()");

    assertNull(audited());
  }

  @Test
  @DisplayName("S1: an audit beyond the bound is refused at once, one beyond the limit is ended")
  void bounds() throws SQLException {
    Audit audit = audit(Duration.ofMillis(300));
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE message IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<AuditReport> first = audit.of(room).subscribeAsCompletionStage();

      assertThrows(AuditsBusy.class, () -> await(audit.of(room)));
      CompletionException ended = assertThrows(CompletionException.class, first::join);
      assertEquals(ErrorCode.BUSY, Faults.code(ended.getCause()));
    }
    assertTrue(await(audit.of(room)).isClean());
  }

  @Test
  @DisplayName("S5: a room that is written to meanwhile is seen as of one moment")
  void whileWritten() throws Exception {
    try (Connection writer = database.connect()) {
      Thread writing = new Thread(() -> write(writer, 200));
      writing.start();
      while (writing.isAlive()) {
        AuditReport report = audited();
        assertTrue(report.isClean(), report.getSentence());
      }
      writing.join();
    }
    assertEquals(210, audited().head());
  }

  private void write(Connection writer, int count) {
    try (Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      for (int i = 0; i < count; i++) {
        statement.execute(messages(room.no(), 11 + i, 11 + i));
        writer.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private AuditReport audited() {
    return await(audit(PATIENCE).of(room));
  }

  private Audit audit(Duration limit) {
    return new Audit(
        testDb.db(),
        Settings.of(
            OpsConfig.class, Map.of("postroom.ops.audit-deadline", limit.toMillis() + "ms")));
  }

  private static String messages(long no, int from, int to) {
    return """
        INSERT INTO message SELECT %1$d, seq, gen_random_uuid(), 'alice', 'c' || seq, 'Alice', 1, 1,
          '\\x00', 'text', now() FROM generate_series(%2$d, %3$d) AS seq;
        UPDATE room SET head = %3$d WHERE no = %1$d
        """
        .formatted(no, from, to);
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(PATIENCE);
  }
}
