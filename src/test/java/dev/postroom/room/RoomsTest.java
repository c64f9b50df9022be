package dev.postroom.room;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

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
