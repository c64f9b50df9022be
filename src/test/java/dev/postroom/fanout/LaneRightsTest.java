package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** R5, AUTH-05: nothing of after a removal goes to anybody who was not asked for since. */
class LaneRightsTest {
  private final Lane lane = new Lane(new Ring(16, 1 << 20, new AtomicLong(), 1 << 20), 0);
  private LaneReader ann;
  private LaneReader bob;

  @BeforeEach
  void join() {
    lane.open(room(0, 3), List.of());
    ann = new LaneReader(lane, 0, "ann");
    bob = new LaneReader(lane, 0, "bob");
    assertTrue(ann.subscription.goLive() && bob.subscription.goLive());
  }

  @Test
  @DisplayName("AUTH-05: a message of after a removal waits for the right of each reader by itself")
  void messageOfAfterwards() {
    lane.publish(room(1, 4), List.of(message(1)));
    assertEquals(List.of(), ann.got);
    assertEquals(List.of(1, 1), List.of(ann.rechecks, bob.rechecks));
    assertFalse(ann.subscription.goLive());

    assertTrue(ann.subscription.stays(ann.subscription.round()));
    catchUp(ann);
    lane.publish(room(2, 4), List.of(message(2)));

    assertEquals(List.of(1L, 2L), ann.got);
    assertEquals(List.of(), bob.got, "nobody has answered for it yet");
    assertEquals(1, bob.rechecks);
  }

  @Test
  @DisplayName("R5: a look that began before the last removal does not count")
  void lateLook() {
    lane.hearRights(4);
    long asked = ann.subscription.round();
    lane.hearRights(5);
    assertFalse(ann.subscription.stays(asked));
    assertTrue(ann.subscription.held());
    assertEquals(1, ann.rechecks, "whoever looks sees that it has to look again");
    assertTrue(ann.subscription.stays(ann.subscription.round()));
  }

  @Test
  @DisplayName("R5: word of a removal spares the others the look; word of a later one does not")
  void wordOfRemoval() {
    lane.removeParticipant(7, "bob", 4);
    assertEquals(List.of(LeftReason.REMOVED), bob.left);
    lane.publish(room(1, 4), List.of(message(1)));
    assertEquals(List.of(1L), ann.got);
    assertEquals(0, ann.rechecks);

    lane.removeParticipant(7, "cleo", 6);
    assertEquals(1, ann.rechecks, "word of the fifth was lost");
    lane.removeParticipant(7, "dora", 5);
    assertTrue(ann.subscription.stays(ann.subscription.round()));
  }

  @Test
  @DisplayName("R5: the rights of another room of the name are another matter")
  void otherRoom() {
    lane.publish(new Room(8, new RoomId("r"), "e2", 1, null, 1, 9), List.of(message(1)));
    lane.removeParticipant(8, "bob", 9);
    assertEquals(List.of(0, 0), List.of(ann.rechecks, bob.rechecks));
  }

  @Test
  @DisplayName("R5: a look at the room, a purge and a new epoch bring the rights with them")
  void looks() {
    lane.refresh(room(0, 4));
    assertTrue(ann.subscription.held());
    ann.subscription.stays(ann.subscription.round());
    lane.reset(new Room(7, new RoomId("r"), "e2", 0, null, 1, 2), List.of());
    assertTrue(ann.subscription.held());
  }

  private static void catchUp(LaneReader reader) {
    reader.catchUp(List.of(), new Random(1));
    assertTrue(reader.subscription.goLive());
  }

  private static Room room(long head, long rights) {
    return new Room(7, new RoomId("r"), "e1", head, null, 1, rights);
  }

  private static RoomMessage message(long seq) {
    return new RoomMessage(
        new UUID(0, seq), "e1", seq, "olga", "Olga", "k" + seq, "text", Instant.EPOCH);
  }
}
