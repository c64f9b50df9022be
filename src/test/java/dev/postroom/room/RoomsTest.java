package dev.postroom.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.db.Contended;
import dev.postroom.db.Faults;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RoomsTest {
  private static EmbeddedPg.Database database;
  private static TestDb testDb;
  private static Rooms rooms;
  private static Epochs epochs;

  @BeforeAll
  static void open() {
    database = EmbeddedPg.freshDatabase();
    testDb = TestDb.over(database);
    rooms = new Rooms(testDb.db());
    epochs = new Epochs(testDb.db());
  }

  @AfterAll
  static void close() {
    testDb.close();
  }

  @Test
  @DisplayName("the server of the tests is as durable as a real one, in an odd time zone")
  void theServerIsDurable() {
    for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
      assertEquals("on", text("SELECT current_setting('" + setting + "')"), setting);
    }
    assertEquals("Asia/Kathmandu", text("SELECT current_setting('TimeZone')"));
  }

  @Test
  void aRoomThatIsNotThereIsNull() {
    assertNull(await(rooms.find(new RoomId("nowhere"))));
  }

  @Test
  void creatingTwiceAnswersTheFirst() {
    Room first = await(rooms.create(new RoomId("twice"), "Title"));
    Room second = await(rooms.create(new RoomId("twice"), "Other"));
    assertEquals(first, second);
    assertEquals("Title", first.title());
    assertEquals(0, first.head());
    assertEquals(16, first.epoch().length());
  }

  @Test
  @DisplayName("R4: a room that is closed and made again has another epoch")
  void anotherRoomAnotherEpoch() {
    Room first = await(rooms.create(new RoomId("again"), null));
    database.execute("UPDATE room SET closed_at = now() WHERE id = 'again'");
    assertEquals(Map.of(), await(rooms.open(List.of(first.no()))));
    Room second = await(rooms.create(new RoomId("again"), null));
    assertNotEquals(first.epoch(), second.epoch());
    assertEquals(Map.of(second.no(), second), await(rooms.open(List.of(first.no(), second.no()))));
  }

  @Test
  @DisplayName("A room that is closed while it is made is made again, and somewhen it is busy")
  void closedWhileMade() {
    database.execute("CREATE SEQUENCE closings");
    database.execute(
        """
        CREATE FUNCTION close_at_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.id = 'always' OR NEW.id = 'twice-closed' AND nextval('closings') <= 2 THEN
            NEW.closed_at = now();
          END IF;
          RETURN NEW;
        END $$
        """);
    database.execute(
        "CREATE TRIGGER close_at_once BEFORE INSERT ON room"
            + " FOR EACH ROW EXECUTE FUNCTION close_at_once()");

    assertEquals(0, await(rooms.create(new RoomId("twice-closed"), null)).head());
    Throwable busy =
        assertThrows(
            Contended.class, () -> await(rooms.create(new RoomId("always"), null, "anna")));
    assertEquals(ErrorCode.BUSY, Faults.code(busy));
  }

  @Test
  @DisplayName("ADR 0004: whoever makes a room is its owner from its first moment")
  void ownedFromTheStart() {
    // Were it two steps, the room would be seen without its owner by whoever comes in between.
    database.execute(
        """
        CREATE FUNCTION owned_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.id LIKE 'owned-%' AND NOT EXISTS (
              SELECT FROM member WHERE room_no = NEW.no AND role = 'owner') THEN
            RAISE EXCEPTION 'a room without an owner';
          END IF;
          RETURN NEW;
        END $$
        """);
    database.execute(
        "CREATE CONSTRAINT TRIGGER owned_at_commit AFTER INSERT ON room DEFERRABLE INITIALLY"
            + " DEFERRED FOR EACH ROW EXECUTE FUNCTION owned_at_commit()");

    Room made = await(rooms.create(new RoomId("owned-1"), "Title", "anna"));
    Room found = await(rooms.create(new RoomId("owned-1"), null, "ben"));
    assertEquals(made, found);
    assertEquals(1, database.number("SELECT count(*) FROM member WHERE room_no = " + made.no()));
  }

  @Test
  @DisplayName("R4: the operator's word changes every epoch")
  void renewedEpoch() {
    Room before = await(rooms.create(new RoomId("restored"), null));
    await(epochs.renew("restored from a backup"));
    assertNotEquals(before.epoch(), await(rooms.find(new RoomId("restored"))).epoch());
  }

  private static String text(String sql) {
    return await(testDb.db().one(sql, io.vertx.sqlclient.Tuple.tuple(), row -> row.getString(0)));
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(20));
  }
}
