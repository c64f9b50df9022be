package dev.postroom.session;

import java.util.HashMap;
import java.util.Map;

/**
 * Keeps one socket's commands in the order in which they were sent when an earlier one was refused
 * for the moment (N2); pure.
 *
 * <p>A client sends a, b, c without waiting. If a is refused with a temporary error, b must not be
 * accepted before a is repeated. What arrives before the repeat was sent before the client knew; it
 * is refused too. The repeat of a ends this: everything behind it on the wire was sent knowingly. A
 * client that gives a up has to wait until the hold is over.
 *
 * <p>Refusals do not come in the order of the commands: a full window is answered at once, while
 * earlier commands still wait. So each command has its place on the wire, the earliest refusal of a
 * room is the one that counts, and what stands before it is not held up.
 *
 * <p>Confined to the connection's event loop. Holds at most {@code maxRooms} entries.
 */
final class SendOrder {
  private final Map<String, Refused> refused = new HashMap<>();
  private final long holdNanos;
  private final int maxRooms;

  SendOrder(long holdNanos, int maxRooms) {
    this.holdNanos = holdNanos;
    this.maxRooms = maxRooms;
  }

  /**
   * May this command go on, or must an earlier one be repeated first?
   *
   * @param place where it stands among the frames of the socket
   */
  boolean admits(String room, String clientMessageId, long place, long nowNanos) {
    Refused first = refused.get(room);
    if (first == null || place <= first.place) {
      return true;
    }
    if (first.clientMessageId.equals(clientMessageId) || first.isOver(nowNanos)) {
      refused.remove(room);
      return true;
    }
    return false;
  }

  /**
   * A command was refused with a temporary error; only the first one of a room is waited for.
   *
   * @param place its own, or that of the last frame before it
   */
  void refused(String room, String clientMessageId, long place, long retryAfterMs, long nowNanos) {
    Refused known = refused.get(room);
    if (known == null && refused.size() >= maxRooms) {
      refused.values().removeIf(other -> other.isOver(nowNanos));
      if (refused.size() >= maxRooms) {
        return;
      }
    }
    if (known == null || place < known.place || known.isOver(nowNanos)) {
      long until = nowNanos + holdNanos + retryAfterMs * 1_000_000L;
      refused.put(room, new Refused(clientMessageId, place, until));
    }
  }

  void forget(String room) {
    refused.remove(room);
  }

  private record Refused(String clientMessageId, long place, long untilNanos) {
    boolean isOver(long nowNanos) {
      return nowNanos - untilNanos >= 0;
    }
  }
}
