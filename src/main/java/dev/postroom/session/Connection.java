package dev.postroom.session;

import dev.postroom.faults.FaultMode;
import dev.postroom.protocol.FrameCodec;
import dev.postroom.protocol.ServerFrame;
import io.quarkus.websockets.next.CloseReason;
import io.quarkus.websockets.next.WebSocketConnection;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.impl.ContextInternal;
import java.util.Objects;

/**
 * One socket: its mailbox, its event loop, whether it is read, its end.
 *
 * <p>Everything but {@link #put}, {@link #offer}, {@link #waitingBytes} and {@link #onLoop} is
 * confined to the event loop.
 */
final class Connection implements Mailbox.Wire, Replay.Outlet {
  private final WebSocketConnection socket;
  private final Network network;
  private final ContextInternal loop;
  private final Mailbox mailbox;
  private final BadLine badLine;
  private final Unread unread = new Unread();
  private final SessionMetrics metrics;
  private final long endWithinNanos;
  private final int maxPages;
  private Runnable onRoomy = () -> {};
  private int pages;
  private boolean pageWanted;
  private boolean full;
  private boolean paused;
  private boolean deaf;
  private boolean ended;
  private boolean gone;
  private long endedNanos;
  private Ending ending = Ending.GONE;

  Connection(
      WebSocketConnection socket,
      Network network,
      ContextInternal loop,
      SessionConfig config,
      SessionMetrics metrics,
      FaultMode faults) {
    this.socket = socket;
    this.network = network;
    this.loop = loop;
    this.metrics = metrics;
    this.badLine = new BadLine(faults, this, network);
    this.endWithinNanos = config.progressTimeout().toNanos();
    this.maxPages = (int) Math.max(1, config.mailboxBytes() / 2 / config.frameBytes());
    this.mailbox = new Mailbox(this, config.mailboxFrames(), config.mailboxBytes());
  }

  String id() {
    return socket.id();
  }

  /** What frames have to pass while the fault mode is on. */
  BadLine badLine() {
    return badLine;
  }

  void onRoomy(Runnable task) {
    onRoomy = task;
  }

  /**
   * A frame was read: handles it, when those before it have been handled and there is room for its
   * answer.
   *
   * @param length characters of its text
   */
  void arrived(int length, Runnable handler) {
    if (ended || deaf) {
      return;
    }
    if (unread.isEmpty() && answerable()) {
      handler.run();
    } else if (!unread.add(length, handler)) {
      cut(Ending.NO_PROGRESS);
    }
  }

  /** Frames are dropped from here on: the socket ends when those taken have been answered. */
  void hearNoMore() {
    deaf = true;
    unread.clear();
  }

  /** Queues an answer; if too much waits, nothing more is read until it is written. */
  void put(ServerFrame frame) {
    put(frame, 0);
  }

  @Override
  public void put(ServerFrame frame, long bytes) {
    if (badLine.isOff()) {
      deliver(frame, bytes);
    } else {
      badLine.put(frame, bytes);
    }
  }

  void deliver(ServerFrame frame, long bytes) {
    if (frame instanceof ServerFrame.Error error) {
      metrics.refused(error.code());
    }
    String text = FrameCodec.encode(frame);
    mailbox.put(text, Math.max(bytes, text.length()));
    pauseIfFull();
  }

  /** Takes a live frame unless the mailbox is full. */
  boolean offer(String frame, long bytes) {
    return badLine.isOff() ? deliver(frame, bytes) : badLine.offer(frame, bytes);
  }

  boolean deliver(String frame, long bytes) {
    return mailbox.offer(frame, bytes);
  }

  /** False, and nothing more is read, while more waits than may: {@link #onRoomy} tells its end. */
  boolean answerable() {
    pauseIfFull();
    return !full;
  }

  /** Many rooms may catch up at once: without this each would read a page into the same room. */
  @Override
  public boolean takePage() {
    if (!mailbox.hasRoom()) {
      return false;
    }
    if (pages >= maxPages) {
      pageWanted = true;
      return false;
    }
    pages++;
    return true;
  }

  @Override
  public void pageDone() {
    pages--;
    if (pageWanted) {
      pageWanted = false;
      later(onRoomy);
    }
  }

  /** Bytes that wait for the reader. Safe for any thread. */
  long waitingBytes() {
    return mailbox.bytes();
  }

  boolean stuckSince(long nanos) {
    return mailbox.stuckSince(nanos);
  }

  void ping() {
    if (!network.isFrozen()) {
      socket.sendPing(Buffer.buffer("postroom")).subscribe().with(done -> {}, failure -> {});
    }
  }

  /** Writes what waits, then closes; a reader that does not take it in time is cut off. */
  void end(Ending why) {
    if (!ended) {
      ended = true;
      ending = why;
      unread.clear();
      mailbox.finish(this::close);
      endedNanos = System.nanoTime();
    }
  }

  /** An end that its reader does not take does not wait for it for ever. */
  void dropIfOverdue(long nowNanos) {
    if (ended && nowNanos - endedNanos > endWithinNanos) {
      drop();
    }
  }

  /** Closes without waiting for a reader that takes nothing. */
  void cut(Ending why) {
    if (!ended) {
      ended = true;
      ending = why;
      endedNanos = System.nanoTime();
      unread.clear();
      mailbox.discard();
      close();
      // A close frame behind full buffers never arrives: the network is told as well.
      after(1_000, this::drop);
    }
  }

  /** The network connection is no more. */
  Ending closed() {
    ended = true;
    gone = true;
    unread.clear();
    mailbox.discard();
    return ending;
  }

  boolean ended() {
    return ended;
  }

  /** True while nothing is read from the socket: its silence says nothing. */
  boolean paused() {
    return paused || network.isFrozen();
  }

  @Override
  public void later(Runnable task) {
    loop.runOnContext(now -> task.run());
  }

  @Override
  public void onLoop(Runnable task) {
    if (loop.nettyEventLoop().inEventLoop()) {
      task.run();
    } else {
      later(task);
    }
  }

  @Override
  public void after(long ms, Runnable task) {
    loop.owner().setTimer(ms, id -> later(task));
  }

  @Override
  public void write(String frame, Runnable written) {
    if (network.isFrozen()) {
      network.hold(() -> write(frame, written));
      return;
    }
    socket.sendText(frame).subscribe().with(done -> onLoop(written), failure -> onLoop(written));
  }

  @Override
  public void overflowed() {
    metrics.overflowed();
  }

  @Override
  public void roomy() {
    full = false;
    onRoomy.run();
    while (!ended && !unread.isEmpty() && answerable()) {
      Objects.requireNonNull(unread.next()).run();
    }
    if (!full && unread.isEmpty()) {
      readOn();
    }
  }

  private void pauseIfFull() {
    full = full || mailbox.isFull();
    if (full && !paused) {
      paused = true;
      metrics.readsPaused();
      network.read(false);
    }
  }

  private void readOn() {
    if (paused) {
      paused = false;
      network.read(true);
    }
  }

  private void close() {
    network.thaw();
    readOn();
    if (!socket.isClosed()) {
      socket
          .close(new CloseReason(ending.code().code(), ending.reason()))
          .subscribe()
          .with(done -> {}, failure -> {});
    }
  }

  private void drop() {
    if (!gone) {
      network.drop();
    }
  }
}
