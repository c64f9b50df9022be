package dev.postroom.outbox;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Of a sink that says that it is no more: it is left alone from then on, and that is written, again
 * and again until it is, or until somebody has changed the sink.
 *
 * <p>Confined to the relay's event loop.
 */
final class Disabling {
  private static final Duration BASE = Duration.ofSeconds(1);

  private final PumpParts parts;
  private final BiFunction<SinkRow, String, Future<?>> write;
  private @Nullable SinkRow gone;

  Disabling(PumpParts parts, BiFunction<SinkRow, String, Future<?>> write) {
    this.parts = parts;
    this.write = write;
  }

  boolean isUnderWay() {
    return gone != null;
  }

  void begin(SinkRow sink, String reason) {
    if (gone == null) {
      gone = sink;
      write(sink, reason, 1);
    }
  }

  /** The sink's row has been read anew, or is not this node's business any more. */
  void end() {
    gone = null;
  }

  private void write(SinkRow sink, String reason, int tries) {
    parts.loop().on(write.apply(sink, reason), done -> {}, failure -> again(sink, reason, tries));
  }

  private void again(SinkRow sink, String reason, int tries) {
    Duration pause = parts.backoff().jittered(BASE, parts.config().circuitMax(), tries);
    parts
        .loop()
        .after(
            pause,
            () -> {
              if (gone != null && gone.changed() == sink.changed()) {
                write(sink, reason, tries + 1);
              }
            });
  }
}
