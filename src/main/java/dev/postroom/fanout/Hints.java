package dev.postroom.fanout;

import dev.postroom.room.RoomId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a node has to tell the others, collected and written as one short line; pure.
 *
 * <p>{@code node;m room head;c room number;r room number participant rights} – and if that would
 * pass {@value #MAX_LENGTH} characters, {@code node;*}: look at everything. So a notification
 * cannot grow past PostgreSQL's 8,000 bytes (PG-02). What ends something carries the room's number,
 * because a room may be made again before the others hear of it. Guarded by its owner's lock.
 */
final class Hints {

  /** Payloads are ASCII, so characters are bytes. */
  static final int MAX_LENGTH = 7_900;

  /** A seq stays below 2^53. */
  private static final int MAX_HEAD_DIGITS = 16;

  private static final String EVERYTHING = "*";

  private final String node;
  private final Map<RoomId, Long> heads = new LinkedHashMap<>();
  private final Set<String> events = new LinkedHashSet<>();
  private int length;
  private boolean everything;

  Hints(String node) {
    this.node = node;
    this.length = node.length();
  }

  void moved(RoomId room, long head) {
    Long known = heads.get(room);
    heads.put(room, known == null ? head : Math.max(known, head));
    if (known == null) {
      grow(";m ".length() + room.value().length() + 1 + MAX_HEAD_DIGITS);
    }
  }

  void closed(RoomId room, long no) {
    event("c " + room.value() + " " + no);
  }

  void removed(RoomId room, long no, String participant, long rights) {
    event(
        "r "
            + room.value()
            + " "
            + no
            + " "
            + Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(participant.getBytes(StandardCharsets.UTF_8))
            + " "
            + rights);
  }

  boolean isEmpty() {
    return heads.isEmpty() && events.isEmpty() && !everything;
  }

  /** The line, and a clean slate. */
  String take() {
    StringBuilder line = new StringBuilder(Math.min(length, MAX_LENGTH)).append(node);
    if (everything) {
      line.append(';').append(EVERYTHING);
    } else {
      heads.forEach(
          (room, head) -> line.append(";m ").append(room.value()).append(' ').append(head));
      events.forEach(event -> line.append(';').append(event));
    }
    heads.clear();
    events.clear();
    everything = false;
    length = node.length();
    return line.toString();
  }

  private void event(String event) {
    if (events.add(event)) {
      grow(event.length() + 1);
    }
  }

  private void grow(int more) {
    length += more;
    if (length > MAX_LENGTH) {
      everything = true;
      heads.clear();
      events.clear();
      length = node.length();
    }
  }

  /**
   * Tells {@code listener} what a line says; lines of {@code self} say nothing new. A line that
   * cannot be read counts as {@code *}: another version of the program may have written it.
   */
  static void read(String line, String self, RoomFeed.Listener listener) {
    String[] parts = line.split(";", -1);
    if (parts[0].equals(self)) {
      return;
    }
    List<Runnable> said = new ArrayList<>();
    try {
      for (int i = 1; i < parts.length; i++) {
        said.add(one(parts[i], listener));
      }
    } catch (IllegalArgumentException unreadable) {
      listener.missed();
      return;
    }
    said.forEach(Runnable::run);
  }

  private static Runnable one(String part, RoomFeed.Listener listener) {
    String[] words = part.split(" ", -1);
    if (words.length == 3 && words[0].equals("m")) {
      RoomId room = new RoomId(words[1]);
      long head = Long.parseLong(words[2]);
      return () -> listener.moved(room, head);
    }
    if (words.length == 3 && words[0].equals("c")) {
      RoomId room = new RoomId(words[1]);
      long no = Long.parseLong(words[2]);
      return () -> listener.closed(room, no);
    }
    if (words.length == 5 && words[0].equals("r")) {
      RoomId room = new RoomId(words[1]);
      long no = Long.parseLong(words[2]);
      String who = new String(Base64.getUrlDecoder().decode(words[3]), StandardCharsets.UTF_8);
      long rights = Long.parseLong(words[4]);
      return () -> listener.removed(room, no, who, rights);
    }
    if (part.equals(EVERYTHING)) {
      return listener::missed;
    }
    throw new IllegalArgumentException("unknown hint");
  }
}
