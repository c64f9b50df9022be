package dev.postroom.session;

import dev.postroom.protocol.ClientFrame;
import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Frames of one socket, handled one after the other, bounded.
 *
 * <p>The platform starts handlers without waiting for the one before, so order and bound are made
 * here. A frame is done with when its handler's {@link Uni} ends; a handler that has handed its
 * frame on in order ends at once and holds its place in the window with {@link #hold} and {@link
 * #release}. While its answers have no place to go, the next frame waits (S1): whoever does not
 * read cannot pile up answers by asking. Confined to the connection's event loop.
 */
final class Inbox {
  private final ArrayDeque<ClientFrame> waiting = new ArrayDeque<>();
  private final int window;
  private final BooleanSupplier answerable;
  private final Function<ClientFrame, Uni<Void>> handler;
  private final Consumer<Throwable> onFailure;
  private boolean open;
  private boolean handling;
  private boolean pumping;
  private boolean ending;
  private @Nullable Runnable afterLast;
  private int held;
  private long taken;
  private long begun;

  /**
   * @param answerable whether there is room for one more answer; when that turns true again, {@link
   *     #goOn} must be called
   * @param onFailure told what a handler failed with; the next frame is handled all the same
   */
  Inbox(
      int window,
      BooleanSupplier answerable,
      Function<ClientFrame, Uni<Void>> handler,
      Consumer<Throwable> onFailure) {
    this.window = window;
    this.answerable = answerable;
    this.handler = handler;
    this.onFailure = onFailure;
  }

  /**
   * @return false if the window is full, or nothing is taken any more, and the frame was not taken
   */
  boolean submit(ClientFrame frame) {
    if (ending || waiting.size() + held + (handling ? 1 : 0) >= window) {
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

  /** There is room for answers again. */
  void goOn() {
    pump();
  }

  /** Nothing is handled any more. */
  void close() {
    open = false;
    waiting.clear();
  }

  /**
   * Nothing more is taken. {@code last} runs when all that was taken has been answered; at once if
   * handling has not begun.
   */
  void end(Runnable last) {
    if (!ending) {
      ending = true;
      afterLast = last;
      endIfDone();
    }
  }

  /** True once nothing more is taken. */
  boolean ending() {
    return ending;
  }

  /** A frame that was handed on counts until it is answered. */
  void hold() {
    held++;
  }

  /** To be called when the answer is in the mailbox. */
  void release() {
    held--;
    endIfDone();
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
    while (open && !handling && !waiting.isEmpty() && answerable.getAsBoolean()) {
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
    endIfDone();
  }

  private void endIfDone() {
    Runnable last = afterLast;
    if (last != null && !handling && held == 0 && (!open || waiting.isEmpty())) {
      afterLast = null;
      last.run();
    }
  }
}
