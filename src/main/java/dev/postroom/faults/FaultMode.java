package dev.postroom.faults;

import dev.postroom.room.Epochs;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Whether anything is to go wrong on this node. Off unless somebody turns it on, and then {@link
 * #storm} is null: that is all it costs. Safe for any thread.
 *
 * <p>A singleton, since it is asked for every frame: no proxy stands before it.
 */
@Singleton
public class FaultMode {
  private static final Logger LOG = Logger.getLogger(FaultMode.class);
  private static final long EPOCH_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Epochs epochs;
  private final AtomicLong epochMovedNanos = new AtomicLong(System.nanoTime() - EPOCH_EVERY_NANOS);
  private volatile @Nullable Sockets sockets;
  private volatile @Nullable Storm storm;

  FaultMode(Epochs epochs) {
    this.epochs = epochs;
  }

  /** To be told once, by whoever has the sockets. */
  public void over(Sockets all) {
    sockets = all;
  }

  /** Who is to be asked what goes wrong; null while nothing does. */
  public @Nullable Storm storm() {
    return storm;
  }

  /** Begins, or begins anew with other weather; orders that were not met are forgotten. */
  public synchronized Storm begin(Weather weather) {
    end();
    Storm begun = new Storm(weather, this::moveEpochSoon);
    storm = begun;
    LOG.warnf("Fault mode: %s", weather);
    return begun;
  }

  public synchronized void end() {
    if (storm != null) {
      storm = null;
      sockets().thaw();
      LOG.warn("Fault mode: off");
    }
  }

  /**
   * Lets something go wrong once; turns the mode on, in calm weather, if it is off.
   *
   * @return how many sockets of the participant there are to befall
   * @throws IllegalArgumentException if too many orders wait
   */
  public Uni<Integer> order(Drill drill) {
    Storm now = stormOrCalm();
    int concerned = sockets().count(drill.participant());
    switch (drill.kind()) {
      case LOSE_ACK -> now.order(Fault.DROP_ACK, drill.participant());
      case SEND_TWICE -> now.order(Fault.REPEAT_COMMAND, drill.participant());
      case REFUSE -> now.order(Fault.REFUSE, drill.participant());
      case CUT -> sockets().cut(drill.participant());
      case FREEZE -> {
        now.freeze(drill.participant(), drill.ms());
        sockets().freeze(drill.participant(), drill.ms());
      }
      case REPEAT_DELTA ->
          sockets().repeatDelta(drill.participant(), Objects.requireNonNull(drill.room()));
      case NEW_EPOCH -> {
        return moveEpoch().replaceWith(concerned);
      }
    }
    return Uni.createFrom().item(concerned);
  }

  private synchronized Storm stormOrCalm() {
    Storm now = storm;
    return now != null ? now : begin(Weather.calm(0));
  }

  /** By the very statement that an operator uses after a restore: numbers stay what they are. */
  private Uni<Void> moveEpoch() {
    return epochs.renew("fault mode").invoke(() -> sockets().epochMoved());
  }

  private void moveEpochSoon() {
    long last = epochMovedNanos.get();
    long now = System.nanoTime();
    if (now - last >= EPOCH_EVERY_NANOS && epochMovedNanos.compareAndSet(last, now)) {
      moveEpoch()
          .subscribe()
          .with(done -> {}, failure -> LOG.warnf("No new epoch: %s", failure.getMessage()));
    }
  }

  private Sockets sockets() {
    return Objects.requireNonNull(sockets);
  }
}
