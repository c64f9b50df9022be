package dev.postroom.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R4, REC-12: a backup that is put back in the cluster that it was taken from. */
class RestoredDumpTest {
  private static final RoomId LOBBY = new RoomId("lobby");

  /** What a dump and its restore do to the table, without the programs for it. */
  private static final String TABLE_RESTORED =
      """
      ALTER TABLE lineage RENAME TO dumped;
      CREATE TABLE lineage (LIKE dumped INCLUDING ALL);
      INSERT INTO lineage OVERRIDING SYSTEM VALUE SELECT * FROM dumped;
      SELECT setval(pg_get_serial_sequence('lineage', 'no'), (SELECT max(no) FROM dumped));
      DROP TABLE dumped
      """;

  /** As the first node of the first version noted it. */
  private static final String FIRST_START =
      """
      INSERT INTO lineage (mark, system_identifier, timeline, reason)
      SELECT 4711, system_identifier::text, left(pg_walfile_name(pg_current_wal_lsn()), 8), 'first'
        FROM pg_control_system()
      """;

  @Test
  @DisplayName("R4, REC-12: in another database of the cluster its epochs are others, once")
  void anotherDatabase() {
    EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
    Room before = room(database);

    EmbeddedPg.Database restored = EmbeddedPg.copyOf(database);

    Room after = room(restored);
    assertNotEquals(before.epoch(), after.epoch());
    assertEquals(after.epoch(), room(restored).epoch());
    assertEquals(before.epoch(), room(database).epoch(), "the original is what it was");
  }

  @Test
  @DisplayName("R4, REC-12: over the tables of the same database likewise")
  void overTheTables() {
    EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
    Room before = room(database);

    database.execute(TABLE_RESTORED);

    Room after = room(database);
    assertNotEquals(before.epoch(), after.epoch());
    assertEquals(after.epoch(), room(database).epoch());
  }

  @Test
  @DisplayName("R4: an upgrade is no restore, and epochs stay")
  void upgrade() {
    EmbeddedPg.Database database = EmbeddedPg.emptyDatabase();
    migrate(database, "1");
    database.execute(FIRST_START);
    migrate(database, "latest");

    room(database);

    assertEquals(1, database.number("SELECT count(*) FROM lineage"));
  }

  private static void migrate(EmbeddedPg.Database database, String target) {
    Flyway.configure()
        .dataSource(database.jdbcUrl(), EmbeddedPg.USER, EmbeddedPg.PASSWORD)
        .target(target)
        .load()
        .migrate();
  }

  /** As a node that has just started sees it. */
  private static Room room(EmbeddedPg.Database database) {
    try (TestDb testDb = TestDb.over(database)) {
      return new Rooms(testDb.db()).create(LOBBY, null).await().atMost(Duration.ofSeconds(30));
    }
  }
}
