package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.room.RoomId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HintsTest {
  private final Hints hints = new Hints("node-1");

  @Test
  void whatIsCollectedIsReadByAnotherNode() {
    hints.moved(new RoomId("a"), 3);
    hints.moved(new RoomId("a"), 7);
    hints.moved(new RoomId("a"), 5);
    hints.moved(new RoomId("b"), 1);
    hints.closed(new RoomId("c"), 12);
    hints.removed(new RoomId("d"), 13, "p;q r ü", 4);

    assertEquals(
        List.of("moved a 7", "moved b 1", "closed c 12", "removed d 13 p;q r ü 4"),
        read(hints.take()));
    assertTrue(hints.isEmpty());
  }

  @Test
  void ownLinesSayNothingNew() {
    hints.moved(new RoomId("a"), 3);
    Told told = new Told();
    Hints.read(hints.take(), "node-1", told);
    assertEquals(List.of(), told.said);
  }

  @Test
  @DisplayName("PG-02: a line cannot grow past what a notification may carry")
  void aLineIsBounded() {
    for (int i = 0; i < 10_000; i++) {
      hints.moved(new RoomId("x".repeat(100) + i), Long.MAX_VALUE / 1024);
    }
    String line = hints.take();
    assertTrue(line.length() <= Hints.MAX_LENGTH, "length " + line.length());
  }

  @Test
  void aHotRoomIsOneHint() {
    for (int head = 1; head <= 10_000; head++) {
      hints.moved(new RoomId("a"), head);
    }
    assertEquals(List.of("moved a 10000"), read(hints.take()));
  }

  @Test
  @DisplayName("PG-02: at every length up to the bound the line fits and says all, or says 'all'")
  void everyLengthFits() {
    for (int rooms = 1; rooms < 100; rooms++) {
      for (int i = 0; i < rooms; i++) {
        hints.moved(new RoomId("y".repeat(100) + i), 1L << 52);
      }
      String line = hints.take();
      assertTrue(line.length() <= Hints.MAX_LENGTH, rooms + " rooms: " + line.length());
      List<String> said = read(line);
      assertTrue(said.size() == rooms || said.equals(List.of("missed")), said.toString());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x;m a",
        "x;m a b",
        "x;q",
        "x;m /// 3",
        "x;",
        "x;r a 3 %%% 1",
        "x;c a",
        "x;r a 3 cA"
      })
  @DisplayName("A line of another version means: look at everything")
  void unreadableLinesMeanEverything(String line) {
    assertEquals(List.of("missed"), read(line));
  }

  private static List<String> read(String line) {
    Told told = new Told();
    Hints.read(line, "node-2", told);
    return told.said;
  }

  private static final class Told implements RoomFeed.Listener {
    final List<String> said = new ArrayList<>();

    @Override
    public void moved(RoomId room, long head) {
      said.add("moved " + room + " " + head);
    }

    @Override
    public void closed(RoomId room, long no) {
      said.add("closed " + room + " " + no);
    }

    @Override
    public void removed(RoomId room, long no, String participant, long rights) {
      said.add("removed " + room + " " + no + " " + participant + " " + rights);
    }

    @Override
    public void missed() {
      said.add("missed");
    }
  }
}
