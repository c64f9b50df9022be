package dev.postroom.session;

import dev.postroom.protocol.ClientFrame;
import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Frames of one socket, handled one after the other, bounded.
 *
 * <p>The platform starts handlers without waiting for the one before, so order and bound are made
 * here. A frame is done with when its handler's {@link Uni} ends; a handler that has handed its
 * frame on in order ends at once and holds its place in the window with {@link #hold} and {@link
 * #release}. Confined to the connection's event loop.
 */
final class Inbox {
  private final ArrayDeque<ClientFrame> waiting = new ArrayDeque<>();
  private final int window;
  private final Function<ClientFrame, Uni<Void>> handler;
  private final Consumer<Throwable> onFailure;
  private boolean open;
  private boolean handling;
  private boolean pumping;
  private int held;
  private long taken;
  private long begun;

  /**
   * @param onFailure told what a handler failed with; the next frame is handled all the same
   */
  Inbox(int window, Function<ClientFrame, Uni<Void>> handler, Consumer<Throwable> onFailure) {
    this.window = window;
    this.handler = handler;
    this.onFailure = onFailure;
  }

  /**
   * @return false if the window is full and the frame was not taken
   */
  boolean submit(ClientFrame frame) {
    if (waiting.size() + held + (handling ? 1 : 0) >= window) {
      return false;
    }
    waiting.addLast(frame);
    taken++;
    pump();
    return true;
  }

  /** Starts handling; frames that came before have waited. */
  void open() {
    open = true;
    pump();
  }

  /** Nothing is handled any more. */
  void close() {
    open = false;
    waiting.clear();
  }

  /** A frame that was handed on counts until it is answered. */
  void hold() {
    held++;
  }

  void release() {
    held--;
  }

  /** The place of the last frame that was taken, counted from 1. */
  long taken() {
    return taken;
  }

  /** The place of the last frame whose handler was called. */
  long begun() {
    return begun;
  }

  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    while (open && !handling && !waiting.isEmpty()) {
      handling = true;
      ClientFrame frame = waiting.removeFirst();
      begun++;
      Uni.createFrom()
          .deferred(() -> handler.apply(frame))
          .subscribe()
          .with(
              done -> handled(),
              failure -> {
                onFailure.accept(failure);
                handled();
              });
    }
    pumping = false;
  }

  private void handled() {
    handling = false;
    pump();
  }
}
