package dev.postroom.outbox;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a {@link LaneRun} needs of its pump. */
interface Turn {
  RelayConfig config();

  RelayMetrics metrics();

  Lanes lanes();

  Settler settler();

  Circuit circuit();

  /** Calls back on the relay's event loop. */
  <T> void on(Future<T> future, Consumer<T> success, Consumer<Throwable> failure);

  /** False when the sink was paused or changed, the circuit has opened or the node stops. */
  boolean mayGoOn(Sink target);

  boolean leaseLost(LaneRun run);

  Duration ownPause();

  Duration eventPause(int faults);

  Duration sinkPause();

  /** Null once the schedule is used up. */
  @Nullable Duration schedule(int tries);

  /** A call failed on our side. */
  void ownFault(Throwable failure);

  /** The sink is to be disabled. */
  void gone(Sink target, String reason);

  /** It calls the sink no more; what it did is yet to be written. */
  void called(LaneRun run);

  /** After {@link #called}: it is written, or will not be. */
  void ended(LaneRun run);
}
