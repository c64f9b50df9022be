package dev.postroom.session;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The only way out of a socket: an ordered queue with a bound.
 *
 * <ul>
 *   <li>Live events are taken while less than the bound waits; over it they are refused, and the
 *       subscription catches up from the log later (F1).
 *   <li>Answers are always taken: while the mailbox is full nothing more is read from the socket,
 *       and no frame that has been read is handled.
 *   <li>Only a small part is handed to the network at a time, so what waits can be counted.
 * </ul>
 *
 * <p>Offers are safe for any thread; writing is confined to the connection's event loop.
 */
final class Mailbox {

  /** Bytes handed to the network before the first of them is known to be written. */
  private static final long WRITE_AHEAD = 128 * 1024;

  private final Wire wire;
  private final int maxFrames;
  private final long maxBytes;
  private final ArrayDeque<Letter> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private long writingBytes;
  private int writingFrames;
  private boolean draining;
  private boolean closed;
  private boolean overflowing;
  private long progressNanos;
  private @Nullable Runnable afterLast;

  Mailbox(Wire wire, int maxFrames, long maxBytes) {
    this.wire = wire;
    this.maxFrames = maxFrames;
    this.maxBytes = maxBytes;
  }

  /** Takes an answer. */
  void put(String frame, long bytes) {
    boolean drain;
    synchronized (this) {
      if (closed) {
        return;
      }
      drain = add(frame, bytes);
    }
    if (drain) {
      wire.later(this::drain);
    }
  }

  /** Takes a live event, unless the mailbox is full. */
  boolean offer(String frame, long bytes) {
    boolean drain = false;
    boolean refused;
    boolean first = false;
    synchronized (this) {
      refused = closed || isFull();
      if (!refused) {
        drain = add(frame, bytes);
      } else if (!closed) {
        first = !overflowing;
        overflowing = true;
      }
    }
    if (drain) {
      wire.later(this::drain);
    } else if (first) {
      wire.overflowed();
    }
    return !refused;
  }

  /** True if a page for a reader that catches up may be put in. */
  synchronized boolean hasRoom() {
    return !closed && waiting.size() <= maxFrames / 2 && size() <= maxBytes / 2;
  }

  /** True if nothing more should be read from this socket for now. */
  synchronized boolean isFull() {
    return waiting.size() + writingFrames >= maxFrames || size() >= maxBytes;
  }

  /** Nothing is taken any more; what waits is written, then {@code last} runs on the event loop. */
  void finish(Runnable last) {
    synchronized (this) {
      closed = true;
      afterLast = last;
    }
    wire.later(this::drain);
  }

  /** Forgets what waits. */
  synchronized void discard() {
    closed = true;
    waiting.clear();
    waitingBytes = 0;
  }

  /** True if something waits to be written and nothing was written since {@code nanos}. */
  synchronized boolean stuckSince(long nanos) {
    return writingFrames > 0 && progressNanos - nanos < 0;
  }

  /** Bytes that wait or are being written. */
  synchronized long bytes() {
    return size();
  }

  private boolean add(String frame, long bytes) {
    waiting.addLast(new Letter(frame, bytes));
    waitingBytes += bytes;
    boolean drain = !draining;
    draining = true;
    return drain;
  }

  private long size() {
    return waitingBytes + writingBytes;
  }

  private void drain() {
    for (Letter letter = next(); letter != null; letter = next()) {
      long bytes = letter.bytes;
      wire.write(letter.frame, () -> written(bytes));
    }
    Runnable last;
    synchronized (this) {
      last = waiting.isEmpty() ? afterLast : null;
      afterLast = last == null ? afterLast : null;
    }
    if (last != null) {
      last.run();
    }
  }

  private synchronized @Nullable Letter next() {
    Letter letter = writingBytes < WRITE_AHEAD ? waiting.pollFirst() : null;
    if (letter == null) {
      draining = false;
      return null;
    }
    if (writingFrames == 0) {
      progressNanos = System.nanoTime();
    }
    waitingBytes -= letter.bytes;
    writingBytes += letter.bytes;
    writingFrames++;
    return letter;
  }

  private void written(long bytes) {
    boolean more;
    boolean roomy;
    synchronized (this) {
      writingBytes -= bytes;
      writingFrames--;
      progressNanos = System.nanoTime();
      more = !waiting.isEmpty() && !draining;
      draining = draining || more;
      roomy = hasRoom();
      overflowing &= !roomy;
    }
    if (more) {
      drain();
    }
    if (roomy) {
      wire.roomy();
    }
  }

  private record Letter(String frame, long bytes) {}

  /** The socket, as the mailbox needs it. */
  interface Wire {

    /** Runs it on the connection's event loop, soon. */
    void later(Runnable task);

    /**
     * Writes one text frame; {@code written} runs on the event loop when it is out, or has failed.
     */
    void write(String frame, Runnable written);

    /**
     * It was full when a live event came, for the first time since it had room. Runs on the thread
     * of the offer.
     */
    void overflowed();

    /** Runs on the event loop whenever a frame was written and at most half the bound waits. */
    void roomy();
  }
}
