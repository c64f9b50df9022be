package dev.postroom.fanout;

import io.smallrye.mutiny.Uni;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * At most one read at a time; whoever asks while it runs waits for its end, or for that of the next
 * one. Safe for any thread.
 */
final class SharedRead {
  private @Nullable Uni<Void> running;
  private @Nullable Uni<Void> next;

  /** Joins the running read, which may have begun long ago, or starts {@code read}. */
  synchronized Uni<Void> share(Supplier<Uni<? extends Void>> read) {
    if (running == null) {
      running =
          Uni.createFrom()
              .deferred(read)
              .onTermination()
              .invoke(this::done)
              .memoize()
              .indefinitely();
    }
    return running;
  }

  /** A read that begins after this call: {@code read}, or one that others wait for as well. */
  synchronized Uni<Void> fresh(Supplier<Uni<? extends Void>> read) {
    if (running == null) {
      return share(read);
    }
    if (next == null) {
      next =
          running.onFailure().recoverWithNull().chain(() -> begin(read)).memoize().indefinitely();
    }
    return next;
  }

  /** Had somebody else begun one after the last had ended, that is as good. */
  private synchronized Uni<Void> begin(Supplier<Uni<? extends Void>> read) {
    next = null;
    return share(read);
  }

  private synchronized void done() {
    running = null;
  }
}
