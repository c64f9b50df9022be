package dev.postroom.session;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Frames of one socket that had left the network when reading stopped (S1).
 *
 * <p>Reading stops when there is no room for more answers. What the platform has read by then comes
 * all the same, as many frames as fit the buffer of one turn of the event loop, or of a few.
 * Answering them would go past the mailbox's bound, and dropping them would leave them without an
 * answer; so they wait here, unlooked at and in order, and before anything more is read.
 *
 * <p>Confined to the connection's event loop.
 */
final class Unread {

  /** Of the shortest frames, what a few turns read: 64 KB each. */
  static final long MOST_BYTES = 2L * 1024 * 1024;

  /** What a waiting frame costs besides its text. */
  private static final int OVERHEAD = 128;

  private final ArrayDeque<Frame> waiting = new ArrayDeque<>();
  private long bytes;

  /**
   * @param length characters of its text
   * @param handler what is to be done with it
   * @return false if it is over the bound, and was not taken
   */
  boolean add(int length, Runnable handler) {
    if (bytes + length + OVERHEAD > MOST_BYTES) {
      return false;
    }
    waiting.addLast(new Frame(length, handler));
    bytes += length + OVERHEAD;
    return true;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes the first one out; null if there is none. */
  @Nullable Runnable next() {
    Frame first = waiting.pollFirst();
    if (first == null) {
      return null;
    }
    bytes -= first.length + OVERHEAD;
    return first.handler;
  }

  void clear() {
    waiting.clear();
    bytes = 0;
  }

  private record Frame(int length, Runnable handler) {}
}
