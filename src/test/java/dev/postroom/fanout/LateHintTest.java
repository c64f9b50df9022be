package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Two nodes on one database; one tells of a room late, when the other's readers are already in the
 * next room of the name.
 */
class LateHintTest {
  private static final RoomId ROOM = new RoomId("again");
  private static final RoomId SIGN = new RoomId("sign");

  private EmbeddedPg.Database database;
  private FanoutNode here;
  private FanoutNode there;
  private Rooms rooms;

  @BeforeEach
  void start() {
    database = EmbeddedPg.freshDatabase();
    here = new FanoutNode(database);
    there = new FanoutNode(database);
    rooms = new Rooms(here.testDb.db());
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(there.feed::hearing);
  }

  @AfterEach
  void stop() {
    here.close();
    there.close();
  }

  @Test
  @DisplayName("R4: word that a room was closed does not end the next of its name elsewhere")
  void closedAndMadeAgain() {
    Room first = await(rooms.create(ROOM, null));
    makeAgain();
    FanoutNode.Reader reader = there.reader(ROOM);

    here.hub.closed(first);
    awaitSign();
    assertEquals(List.of(), reader.left);

    here.hub.closed(await(rooms.find(ROOM)));
    reader.awaitLeft(LeftReason.ROOM_CLOSED);
  }

  @Test
  @DisplayName("R4, R5: word of a removal does not concern the next room of the name elsewhere")
  void removedAndMadeAgain() {
    Room first = await(rooms.create(ROOM, null));
    makeAgain();
    FanoutNode.Reader reader = there.reader(ROOM);

    here.hub.removed(first, "p", 1);
    awaitSign();
    assertEquals(List.of(), reader.left);

    here.hub.removed(await(rooms.find(ROOM)), "p", 1);
    reader.awaitLeft(LeftReason.REMOVED);
  }

  @Test
  @DisplayName("R4: word that the newer room was closed ends a lane of the older one too")
  void olderLane() {
    await(rooms.create(ROOM, null));
    FanoutNode.Reader reader = there.reader(ROOM);
    makeAgain();
    here.hub.closed(await(rooms.find(ROOM)));
    reader.awaitLeft(LeftReason.ROOM_CLOSED);
  }

  private void makeAgain() {
    database.execute("UPDATE room SET closed_at = now() WHERE id = '" + ROOM + "'");
    await(rooms.create(ROOM, null));
  }

  /** Hints keep their order: when this one has been heard, so have those before it. */
  private void awaitSign() {
    Room sign = await(rooms.create(SIGN, null));
    FanoutNode.Reader reader = there.reader(SIGN);
    here.hub.closed(sign);
    reader.awaitLeft(LeftReason.ROOM_CLOSED);
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(20));
  }
}
