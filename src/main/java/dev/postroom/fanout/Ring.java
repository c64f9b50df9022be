package dev.postroom.fanout;

import dev.postroom.protocol.EncodedBody;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The newest messages of one room, neighbours without holes; pure.
 *
 * <p>Bounded by count and bytes, and together with all other rings by a budget: over the budget a
 * ring that grows drops its own oldest first. Guarded by its lane's lock.
 */
final class Ring {
  private final ArrayDeque<EncodedMessage> messages = new ArrayDeque<>();
  private final int maxMessages;
  private final long maxBytes;
  private final long budget;
  private final AtomicLong spent;
  private long bytes;

  /**
   * @param spent the bytes held by all rings
   * @param budget the bytes that all rings may hold
   */
  Ring(int maxMessages, long maxBytes, AtomicLong spent, long budget) {
    this.maxMessages = maxMessages;
    this.maxBytes = maxBytes;
    this.spent = spent;
    this.budget = budget;
  }

  void add(EncodedMessage message) {
    messages.addLast(message);
    count(message.bytes());
    while (messages.size() > 1
        && (messages.size() > maxMessages || bytes > maxBytes || spent.get() > budget)) {
      count(-messages.removeFirst().bytes());
    }
  }

  void clear() {
    messages.clear();
    count(-bytes);
  }

  /** True if every message after {@code after} up to {@code last} is here. */
  boolean covers(long after, long last) {
    return after >= last || (!messages.isEmpty() && messages.getFirst().seq() <= after + 1);
  }

  /** At most {@code limit} and {@code maxBytes} after {@code seq}; at least one if there is one. */
  List<EncodedBody> after(long seq, int limit, long maxBytes) {
    List<EncodedBody> page = new ArrayList<>();
    long size = 0;
    for (EncodedMessage message : messages) {
      if (message.seq() <= seq) {
        continue;
      }
      size += message.bytes();
      if (page.size() == limit || (size > maxBytes && !page.isEmpty())) {
        break;
      }
      page.add(message.body());
    }
    return page;
  }

  /** The newest {@code limit}, ascending. */
  List<EncodedBody> newest(int limit) {
    List<EncodedBody> page = new ArrayList<>(Math.min(limit, messages.size()));
    Iterator<EncodedMessage> backwards = messages.descendingIterator();
    while (backwards.hasNext() && page.size() < limit) {
      page.add(0, backwards.next().body());
    }
    return page;
  }

  int size() {
    return messages.size();
  }

  private void count(long more) {
    bytes += more;
    spent.addAndGet(more);
  }
}
