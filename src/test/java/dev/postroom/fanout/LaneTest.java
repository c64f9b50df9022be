package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.EncodedBody;
import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import dev.postroom.testkit.Seed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class LaneTest {
  private static final RoomId ROOM = new RoomId("r");
  private static final long SEED = Seed.pick("LaneTest");
  private static final long BUDGET = 1 << 20;

  private final AtomicLong spent = new AtomicLong();

  @Test
  @DisplayName("N3: n+1 is emitted only after n; a gap asks for the log")
  void gapIsNotEmitted() {
    Lane lane = lane(16);
    lane.open(room(0), List.of());
    LaneReader reader = new LaneReader(lane, 0);
    assertTrue(reader.subscription.goLive());

    assertTrue(lane.publish(room(2), List.of(message(2))), "2 without 1 is a gap");
    assertEquals(List.of(), reader.got);

    assertFalse(lane.publish(room(2), List.of(message(1), message(2))));
    assertEquals(List.of(1L, 2L), reader.got);
  }

  @Test
  @DisplayName("F2: readers get the very same text, encoded once")
  void encodedOnce() {
    Lane lane = lane(16);
    lane.open(room(0), List.of());
    LaneReader one = new LaneReader(lane, 0);
    LaneReader other = new LaneReader(lane, 0);
    assertTrue(one.subscription.goLive() && other.subscription.goLive());

    lane.publish(room(2), List.of(message(1), message(2)));

    assertEquals(2, one.frames.size());
    for (int i = 0; i < 2; i++) {
      assertSame(one.frames.get(i), other.frames.get(i));
    }
  }

  @Test
  @DisplayName("R4: numbers of another epoch are never emitted")
  void otherEpochIsNotEmitted() {
    Lane lane = lane(16);
    lane.open(room(0), List.of());
    LaneReader reader = new LaneReader(lane, 0);
    reader.subscription.goLive();

    Room other = new Room(7, ROOM, "e2", 1, null, 1, 0);
    lane.publish(other, List.of(message(1)));

    assertEquals(List.of(), reader.got);
  }

  @Test
  @DisplayName("The ring answers what it covers and nothing else")
  void ringAnswersOnlyWhatItCovers() {
    Lane lane = lane(4);
    lane.open(room(0), List.of());
    for (long seq = 1; seq <= 10; seq++) {
      lane.publish(room(seq), List.of(message(seq)));
    }
    assertEquals(List.of(7L, 8L), seqs(lane.recentAfter(6, 2, 1_000_000)));
    assertEquals(List.of(), seqs(lane.recentAfter(10, 2, 1_000_000)));
    assertNull(lane.recentAfter(5, 2, 1_000_000), "6 has left the ring");
    assertNull(lane.recent(5), "only four are here");
    assertEquals(List.of(9L, 10L), seqs(lane.recent(2)));
  }

  @Test
  @DisplayName("S1: all rings together keep to their budget, and give it back")
  void ringsKeepToTheBudget() {
    List<Lane> lanes = new ArrayList<>();
    long one = EncodedMessage.of(ROOM, "e1", message(1)).bytes();
    for (int i = 0; i < 10; i++) {
      Lane lane = new Lane(new Ring(100, BUDGET, spent, one * 20), 0);
      lane.open(room(0), List.of());
      for (long seq = 1; seq <= 50; seq++) {
        lane.publish(room(seq), List.of(message(seq)));
      }
      lanes.add(lane);
    }
    assertTrue(spent.get() <= one * 30 + 30, "spent " + spent.get() + " of " + one * 20);
    lanes.forEach(lane -> lane.close(LeftReason.ROOM_CLOSED));
    assertEquals(0, spent.get());
  }

  @Test
  void anIdleLaneEndsAndAJoinedOneDoesNot() {
    Lane lane = lane(4);
    lane.open(room(0), List.of());
    LaneReader reader = new LaneReader(lane, 0);
    assertFalse(lane.closeIfIdle(Long.MAX_VALUE / 2));
    lane.remove(reader.subscription, 100);
    assertFalse(lane.closeIfIdle(99));
    assertTrue(lane.closeIfIdle(101));
    assertFalse(lane.add(reader.subscription), "it has ended");
  }

  @Test
  @DisplayName("R4: word of a closed room ends its lane and an unopened one, not a later room's")
  void closedByNumber() {
    Lane lane = lane(4);
    lane.open(room(0), List.of());
    LaneReader reader = new LaneReader(lane, 0);
    assertFalse(lane.closeUpTo(6));
    assertEquals(List.of(), reader.left);
    assertTrue(lane.closeUpTo(7));
    assertEquals(List.of(LeftReason.ROOM_CLOSED), reader.left);

    Lane unopened = lane(4);
    assertTrue(unopened.closeUpTo(6));
    unopened.open(room(0), List.of());
    assertFalse(unopened.add(reader.subscription), "whoever wants it makes another");
  }

  @Test
  @DisplayName("AUTH-05: a removed participant's connections leave, others stay")
  void removedParticipantLeaves() {
    Lane lane = lane(4);
    lane.open(room(0), List.of());
    LaneReader one = new LaneReader(lane, 0, "a");
    LaneReader two = new LaneReader(lane, 0, "a");
    LaneReader other = new LaneReader(lane, 0, "b");
    List.of(one, two, other).forEach(reader -> reader.subscription.goLive());

    lane.removeParticipant(6, "a", 1);
    assertEquals(List.of(), one.left, "that was another room of the name");
    lane.removeParticipant(7, "a", 1);
    lane.publish(room(1), List.of(message(1)));

    assertEquals(List.of(LeftReason.REMOVED), one.left);
    assertEquals(List.of(LeftReason.REMOVED), two.left);
    assertEquals(List.of(), one.got);
    assertEquals(List.of(1L), other.got);
  }

  @Test
  @DisplayName("R1, F1: a lane that a purge has overtaken goes on behind it, and says so")
  void purgedPast() {
    Lane lane = lane(16);
    lane.open(room(0), List.of());
    lane.publish(room(2), List.of(message(1), message(2)));
    LaneReader reader = new LaneReader(lane, 2);
    assertTrue(reader.subscription.goLive());
    Room trimmed = new Room(7, ROOM, "e1", 9, null, 8, 0);
    assertTrue(lane.publish(trimmed, List.of(message(8), message(9))), "3 to 7 are gone");

    assertTrue(lane.isPurgedPast(trimmed));
    lane.jump(trimmed, List.of(message(8), message(9)));

    assertEquals(1, reader.resets);
    assertFalse(reader.subscription.goLive(), "it needs a snapshot first");
    assertEquals(List.of(8L, 9L), seqs(lane.recent(50)));
    reader.subscription.sentUpTo(9);
    assertTrue(reader.subscription.goLive());
    lane.publish(room(10), List.of(message(10)));
    assertEquals(List.of(10L), reader.got);
    assertFalse(lane.isPurgedPast(trimmed));
  }

  @Test
  @DisplayName("R2: a reader that a late snapshot takes back is not left live with a hole")
  void aLateSnapshotEndsLive() {
    Lane lane = lane(16);
    lane.open(room(0), List.of());
    LaneReader reader = new LaneReader(lane, 0);
    assertTrue(reader.subscription.goLive());
    lane.publish(room(1), List.of(message(1)));
    reader.subscription.sentUpTo(0);
    assertFalse(reader.subscription.goLive());
    reader.subscription.sentUpTo(1);
    assertTrue(reader.subscription.goLive());
  }

  /**
   * Commits, lost and repeated announcements, joins, full queues and epochs in any order: every
   * reader has seen a run without holes that starts where it joined, and all of it at the end.
   */
  @RepeatedTest(200)
  @DisplayName("R1, R2, N3, F1: whatever happens, readers see every number once and in order")
  void generated(RepetitionInfo info) {
    int repetition = info.getCurrentRepetition();
    Random random = new Random(SEED + repetition);
    Lane lane = lane(1 + random.nextInt(8));
    List<RoomMessage> log = new ArrayList<>();
    lane.open(room(0), List.of());
    List<LaneReader> readers = new ArrayList<>();
    for (int step = 0; step < 300; step++) {
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          int from = log.size();
          int count = 1 + random.nextInt(3);
          for (int i = 0; i < count; i++) {
            log.add(message(log.size() + 1L));
          }
          if (random.nextInt(4) > 0) {
            lane.publish(room(log.size()), log.subList(from, log.size()));
          } else {
            lane.hear(log.size());
          }
        }
        case 2 -> readers.add(new LaneReader(lane, random.nextLong(lane.last() + 1)));
        case 3 -> readers.forEach(reader -> reader.full = random.nextInt(3) == 0);
        case 4 -> fill(lane, log);
        default -> readers.forEach(reader -> reader.catchUp(log, random));
      }
    }
    fill(lane, log);
    for (LaneReader reader : readers) {
      reader.full = false;
      while (!reader.subscription.goLive()) {
        reader.catchUp(log, random);
      }
      List<Long> expected = new ArrayList<>();
      for (long seq = reader.joinedAt + 1; seq <= log.size(); seq++) {
        expected.add(seq);
      }
      assertEquals(expected, reader.got, "seed " + SEED + ", repetition " + repetition);
    }
  }

  private static void fill(Lane lane, List<RoomMessage> log) {
    if (lane.behind()) {
      lane.publish(room(log.size()), log.subList((int) lane.last(), log.size()));
    }
  }

  private Lane lane(int ring) {
    return new Lane(new Ring(ring, BUDGET, spent, BUDGET), 0);
  }

  private static Room room(long head) {
    return new Room(7, ROOM, "e1", head, null, 1, 0);
  }

  private static RoomMessage message(long seq) {
    return new RoomMessage(
        new UUID(7, seq), "e1", seq, "p", "P", "k" + seq, "text " + seq, Instant.EPOCH);
  }

  private static List<Long> seqs(Page page) {
    return page.messages().stream().map(EncodedBody::seq).toList();
  }
}
