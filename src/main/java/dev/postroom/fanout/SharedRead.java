package dev.postroom.fanout;

import io.smallrye.mutiny.Uni;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * At most one read at a time; whoever asks while it runs waits for its end. Safe for any thread.
 */
final class SharedRead {
  private @Nullable Uni<Void> running;

  /** Joins the running read, or starts {@code read}. */
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

  private synchronized void done() {
    running = null;
  }
}
