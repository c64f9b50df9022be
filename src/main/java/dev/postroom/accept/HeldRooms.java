package dev.postroom.accept;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Rooms whose lock somebody did not let go of in time. They are left out for a moment, and then
 * asked for with a short wait, so that one held room costs the others of its lane one long wait and
 * not one each time.
 *
 * <p>Pure: confined to its lane.
 */
final class HeldRooms {
  private static final long PAUSE_NANOS = 500_000_000L;
  private static final long FORGET_NANOS = 60_000_000_000L;

  private final LongSupplier nanoTime;
  private final Map<String, Long> until = new HashMap<>();

  HeldRooms(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void hold(String room) {
    long now = nanoTime.getAsLong();
    // Rooms that nobody writes in again would stay for ever.
    until.values().removeIf(end -> now - end > FORGET_NANOS);
    until.put(room, now + PAUSE_NANOS);
  }

  /** Whether the room is left out just now. */
  boolean isHeld(String room) {
    Long end = until.get(room);
    return end != null && end - nanoTime.getAsLong() > 0;
  }

  /** Those that were held and whose pause is over: to be looked at before they are waited for. */
  Set<String> suspects(Collection<String> rooms) {
    if (until.isEmpty()) {
      return Set.of();
    }
    Set<String> suspects = new HashSet<>(rooms);
    suspects.retainAll(until.keySet());
    suspects.removeIf(this::isHeld);
    return suspects;
  }

  void release(String room) {
    until.remove(room);
  }
}
