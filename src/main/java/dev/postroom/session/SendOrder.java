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
 * <p>Confined to the connection's event loop. Holds at most one entry per joined room.
 */
final class SendOrder {
  private final Map<String, Refused> refused = new HashMap<>();
  private final long holdNanos;

  SendOrder(long holdNanos) {
    this.holdNanos = holdNanos;
  }

  /** May this command go on, or must an earlier one be repeated first? */
  boolean admits(String room, String clientMessageId, long nowNanos) {
    Refused first = refused.get(room);
    if (first == null) {
      return true;
    }
    if (first.clientMessageId.equals(clientMessageId) || nowNanos - first.untilNanos >= 0) {
      refused.remove(room);
      return true;
    }
    return false;
  }

  /** A command was refused with a temporary error; only the first one of a room is waited for. */
  void refused(String room, String clientMessageId, long retryAfterMs, long nowNanos) {
    refused.putIfAbsent(
        room, new Refused(clientMessageId, nowNanos + holdNanos + retryAfterMs * 1_000_000L));
  }

  void forget(String room) {
    refused.remove(room);
  }

  private record Refused(String clientMessageId, long untilNanos) {}
}
