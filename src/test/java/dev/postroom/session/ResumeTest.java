package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.room.Cursor;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R1: delta with exactly what is missing, otherwise snapshot")
class ResumeTest {
  private static final Room ROOM = new Room(1, new RoomId("r"), "e1", 2_000, null, 501, 0);

  @Test
  void fresh() {
    assertEquals(Resume.FRESH, Resume.of(ROOM, null, 1_000));
  }

  @Test
  @DisplayName("REC-02: nothing missed is an empty delta")
  void nothingMissed() {
    assertEquals(Resume.DELTA, Resume.of(ROOM, new Cursor("e1", 2_000), 1_000));
  }

  @Test
  @DisplayName("REC-01: at the limit a delta, one further a snapshot")
  void limit() {
    assertEquals(Resume.DELTA, Resume.of(ROOM, new Cursor("e1", 1_000), 1_000));
    assertEquals(Resume.TOO_FAR, Resume.of(ROOM, new Cursor("e1", 999), 1_000));
  }

  @Test
  @DisplayName("REC-11, REC-10: another epoch, an empty one too, is a snapshot")
  void otherEpoch() {
    assertEquals(Resume.OTHER_EPOCH, Resume.of(ROOM, new Cursor("e0", 2_000), 1_000));
    assertEquals(Resume.OTHER_EPOCH, Resume.of(ROOM, new Cursor("", 2_000), 1_000));
  }

  @Test
  @DisplayName("REC-12: ahead of the head is a snapshot")
  void ahead() {
    assertEquals(Resume.AHEAD, Resume.of(ROOM, new Cursor("e1", 2_001), 1_000));
  }

  @Test
  void purged() {
    assertEquals(Resume.NOT_KEPT, Resume.of(ROOM, new Cursor("e1", 499), 5_000));
    assertEquals(Resume.DELTA, Resume.of(ROOM, new Cursor("e1", 500), 5_000));
  }
}
