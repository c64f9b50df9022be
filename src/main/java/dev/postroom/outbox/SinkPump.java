package dev.postroom.outbox;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One sink's share of the relay on this node: claims as many due lanes as its circuit allows, and
 * gives each a {@link LaneRun}. A sink that fails or is slow holds up nobody but itself (H4).
 *
 * <p>Confined to the relay's event loop.
 */
final class SinkPump implements Turn {
  private static final Logger LOG = Logger.getLogger(SinkPump.class);

  /** While this much waits to be marked, nothing new is begun. */
  private static final int SETTLER_BOUND = 2_000;

  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final PumpParts parts;
  private final Disabling disabling;
  private final HeldLanes held;
  private final Circuit circuit;
  private final LookBack lookBack = new LookBack();
  private SinkRow sink;
  private Sink target;
  private boolean claiming;
  private boolean again;
  private boolean everything = true;
  private boolean stopped;

  private boolean timed;
  private long warned = System.nanoTime() - MINUTE_NANOS;
  private volatile Circuit.State shown = Circuit.State.CLOSED;

  SinkPump(
      SinkRow sink, Sink target, PumpParts parts, BiFunction<SinkRow, String, Future<?>> disable) {
    this.sink = sink;
    this.target = target;
    this.parts = parts;
    this.disabling = new Disabling(parts, disable);
    this.held = new HeldLanes(parts.config().lanesPerSink());
    this.circuit =
        new Circuit(parts.config().lanesPerSink(), parts.config().circuitMax(), parts.backoff());
  }

  SinkRow sink() {
    return sink;
  }

  Collection<LaneRun> running() {
    return held.all();
  }

  /** As it was lately. Safe for any thread. */
  Circuit.State circuitState() {
    return shown;
  }

  /** The settings have changed. Calls under way end with the old ones, and then their turns. */
  void changed(SinkRow sink, Sink target) {
    this.target.close();
    disabling.end();
    this.sink = sink;
    this.target = target;
  }

  /** No more claims. */
  void stop() {
    stopped = true;
    disabling.end();
  }

  void close() {
    stop();
    target.close();
  }

  /** Looks for lanes of any age, not only for those that became due a short while ago. */
  void sweep() {
    everything = true;
    kick();
  }

  /** There may be something to do. */
  void kick() {
    if (claiming) {
      again = true;
      return;
    }
    int free = free();
    if (free <= 0) {
      later();
      return;
    }
    claiming = true;
    again = false;
    boolean all = everything;
    everything = false;
    long asked = System.nanoTime();
    double seconds = all ? LookBack.EVER_SECONDS : lookBack.seconds(asked);
    on(
        parts.lanes().claim(sink.no(), seconds, free, parts.config().lease()),
        claims -> claimed(claims, free, asked, all),
        failure -> {
          claiming = false;
          everything |= all;
          LOG.debugf("Lanes of sink %s cannot be claimed: %s", sink.id(), failure.getMessage());
          // A look may not see again what this one was after.
          parts.loop().after(SHORT, this::kick);
        });
  }

  private int free() {
    if (stopped
        || disabling.isUnderWay()
        || sink.state() != SinkRow.State.ACTIVE
        || parts.settler().backlog() > SETTLER_BOUND) {
      return 0;
    }
    return held.free(circuit.limit(System.nanoTime()));
  }

  private void claimed(List<Claim> claims, int most, long asked, boolean all) {
    claiming = false;
    if (claims.size() < most) {
      lookBack.sawAll(asked);
    } else {
      // Of the old ones there may be more; until they are through, all claims look for them.
      everything |= all;
    }
    List<LaneRun> runs =
        claims.stream().map(claim -> new LaneRun(claim, sink, target, this)).toList();
    for (LaneRun run : runs) {
      held.taken(run);
      parts.leases().taken(run, asked);
      circuit.begun();
    }
    // Once all are counted: one that ends at once makes this look for more.
    runs.forEach(LaneRun::start);
    if (all && claims.size() < most) {
      sweepWhatWasHeld();
    }
    if (again || claims.size() == most) {
      kick();
    } else {
      later();
    }
  }

  /** A claim passes over what somebody holds, as a ring may; no look of lately would see it. */
  private void sweepWhatWasHeld() {
    on(
        parts.lanes().overdue(sink.no(), LookBack.LEAST_SECONDS),
        overdue -> {
          if (overdue) {
            parts.loop().after(SHORT, this::sweep);
          }
        },
        failure -> parts.loop().after(SHORT, this::sweep));
  }

  /** When time alone allows more, somebody has to look then. */
  private void later() {
    Long wait = circuit.nextChange(System.nanoTime());
    show();
    if (wait == null || timed || stopped) {
      return;
    }
    timed = true;
    parts
        .loop()
        .after(
            Duration.ofNanos(wait).plusMillis(1),
            () -> {
              timed = false;
              kick();
            });
  }

  private void show() {
    Circuit.State now = circuit.state(System.nanoTime());
    if (now == Circuit.State.OPEN && shown == Circuit.State.CLOSED) {
      LOG.warnf("Sink %s does not take events; it is tried now and then", sink.id());
    } else if (now == Circuit.State.CLOSED && shown != Circuit.State.CLOSED) {
      LOG.infof("Sink %s takes events again", sink.id());
    }
    shown = now;
  }

  @Override
  public void called(LaneRun run) {
    if (held.called(run)) {
      // A probe that came to nothing – paused, gone, its lease lost – must not be the last.
      circuit.undecided();
    }
    kick();
  }

  @Override
  public void ended(LaneRun run) {
    held.ended(run);
    parts.leases().ended(run);
    kick();
  }

  @Override
  public RelayConfig config() {
    return parts.config();
  }

  @Override
  public RelayMetrics metrics() {
    return parts.metrics();
  }

  @Override
  public Lanes lanes() {
    return parts.lanes();
  }

  @Override
  public Settler settler() {
    return parts.settler();
  }

  @Override
  public Circuit circuit() {
    return circuit;
  }

  @Override
  public <T> void on(Future<T> future, Consumer<T> success, Consumer<Throwable> failure) {
    parts.loop().on(future, success, failure);
  }

  @Override
  public boolean mayGoOn(Sink target) {
    return !stopped
        && target == this.target
        && !disabling.isUnderWay()
        && sink.state() == SinkRow.State.ACTIVE
        && circuit.state(System.nanoTime()) != Circuit.State.OPEN;
  }

  @Override
  public boolean leaseLost(LaneRun run) {
    return parts.leases().isLost(run);
  }

  @Override
  public Duration ownPause() {
    return parts.backoff().jittered(SHORT, SHORT, 1);
  }

  @Override
  public Duration eventPause(int faults) {
    return parts.backoff().jittered(SHORT, parts.config().eventBackoffMax(), faults);
  }

  @Override
  public Duration sinkPause() {
    return parts.backoff().jittered(SHORT, SHORT, 1);
  }

  @Override
  public @Nullable Duration schedule(int tries) {
    return parts.backoff().step(parts.config().schedule(), tries);
  }

  /** Said once a minute: it may be every call. */
  @Override
  public void ownFault(Throwable failure) {
    circuit.undecided();
    long now = System.nanoTime();
    if (now - warned > MINUTE_NANOS) {
      warned = now;
      LOG.warnf(failure, "Sink %s cannot be called", sink.id());
    }
  }

  @Override
  public void gone(Sink target, String reason) {
    // What the old settings led to says nothing about the new ones.
    if (target == this.target && !stopped) {
      disabling.begin(sink, reason);
    }
  }
}
