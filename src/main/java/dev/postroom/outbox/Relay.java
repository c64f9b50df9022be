package dev.postroom.outbox;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Hands over what was accepted: looks for work once a second and right after a commit on this node.
 *
 * <p>What a look finds is rung from the outbox into the lanes, and the pumps of the sinks concerned
 * are woken. Every {@code postroom.relay.sweep} the look is at everything, whatever was heard
 * before. Safe for any thread.
 */
@ApplicationScoped
public class Relay {
  private static final Logger LOG = Logger.getLogger(Relay.class);

  private static final Duration GRACE = Duration.ofSeconds(20);

  private final Outbox outbox;
  private final Pumps pumps;
  private final PumpParts parts;
  private final LookBack lookBack = new LookBack();
  private final LowWater low = new LowWater(System.nanoTime());
  private final AtomicBoolean nudged = new AtomicBoolean();
  private volatile boolean stopped;
  private volatile long stoppedNanos;

  private long sweptNanos;
  private boolean ringing;
  private boolean ringAgain;
  private boolean sweepAgain;

  Relay(Outbox outbox, Pumps pumps, PumpParts parts) {
    this.outbox = outbox;
    this.pumps = pumps;
    this.parts = parts;
  }

  void onStart(@Observes StartupEvent started) {
    sweepNext();
    renewLater();
  }

  /** Something was accepted on this node. Costs its caller nothing, and cannot fail. */
  public void nudge() {
    if (pumps.any() && !stopped && nudged.compareAndSet(false, true)) {
      parts.loop().run(this::ringNow);
    }
  }

  /** Sinks or lanes were changed on this node. */
  public void changed() {
    if (parts.config().enabled() && !stopped) {
      parts.loop().run(() -> pass().subscribe().with(done -> {}, failure -> {}));
    }
  }

  @Scheduled(identity = "relay", every = "1s", concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> pass() {
    return !parts.config().enabled() || stopped ? Uni.createFrom().voidItem() : Futures.uni(look());
  }

  private Future<Void> look() {
    Promise<Void> done = Promise.promise();
    parts
        .loop()
        .run(
            () -> {
              long now = System.nanoTime();
              boolean sweep = now - sweptNanos >= parts.config().sweep().toNanos();
              if (sweep) {
                sweptNanos = now;
              }
              double seconds = sweep ? LookBack.EVER_SECONDS : lookBack.seconds(now);
              parts
                  .loop()
                  .on(
                      outbox.look(sweep ? 0 : low.number(), seconds),
                      seen -> act(seen, now, sweep, done),
                      failure -> {
                        LOG.debugf("No look at the outbox: %s", failure.getMessage());
                        if (sweep) {
                          sweepNext();
                        }
                        done.complete();
                      });
            });
    return done.future();
  }

  /** The next look is at everything. */
  private void sweepNext() {
    sweptNanos = System.nanoTime() - parts.config().sweep().toNanos();
  }

  private void act(Outbox.Look seen, long looked, boolean sweep, Promise<Void> done) {
    parts
        .loop()
        .on(
            pumps.refresh(seen.changed()),
            ready -> {
              lookBack.sawAll(looked);
              if (sweep) {
                pumps.all().forEach(SinkPump::sweep);
              } else {
                kick(seen.due());
              }
              if (seen.ringing()) {
                ring(sweep);
              }
              done.complete();
            },
            failure -> {
              if (sweep) {
                sweepNext();
              }
              done.complete();
            });
  }

  private void ringNow() {
    nudged.set(false);
    ring(false);
  }

  /** One at a time; what comes meanwhile is in the next. */
  private void ring(boolean everything) {
    sweepAgain |= everything;
    if (ringing) {
      ringAgain = true;
      return;
    }
    boolean sweep = sweepAgain;
    long above = sweep ? 0 : low.number();
    ringing = true;
    ringAgain = false;
    sweepAgain = false;
    parts
        .loop()
        .on(
            outbox.ring(above),
            rung -> rung(rung, above, sweep),
            failure -> {
              ringing = false;
              LOG.debugf("The outbox was not rung: %s", failure.getMessage());
              if (sweep) {
                sweepNext();
              }
            });
  }

  private void rung(Outbox.Rung rung, long above, boolean sweep) {
    ringing = false;
    if (low.rung(rung, above, System.nanoTime())) {
      parts.metrics().sweepFound();
    }
    if (sweep) {
      // Their lanes were locked until now: the claims of the sweep may have passed over them.
      each(rung.sinks(), SinkPump::sweep);
    } else {
      kick(rung.sinks());
    }
    if (rung.taken() == Outbox.ROWS || ringAgain) {
      ring(sweep && rung.taken() == Outbox.ROWS);
    }
  }

  private void kick(Set<Integer> sinks) {
    each(sinks, SinkPump::kick);
  }

  private void each(Set<Integer> sinks, Consumer<SinkPump> action) {
    for (Integer no : sinks) {
      SinkPump pump = pumps.of(no);
      if (pump != null) {
        action.accept(pump);
      }
    }
  }

  private void renewLater() {
    parts
        .loop()
        .after(
            parts.leases().every(),
            () -> {
              parts.leases().renew(parts.loop());
              if (!stopped || parts.leases().held() > 0) {
                renewLater();
              }
            });
  }

  /** Nothing new is begun from now on. Returns at once. */
  public void stopClaiming() {
    stopped = true;
    stoppedNanos = System.nanoTime();
    parts.loop().run(() -> pumps.all().forEach(SinkPump::stop));
  }

  /**
   * Waits until what was under way has ended and is marked, and its leases are given back; at most
   * 20 seconds from {@link #stopClaiming} on. Blocks. What does not end in time is handed over
   * again after its lease.
   */
  public void awaitQuiet() {
    CountDownLatch quiet = new CountDownLatch(1);
    parts.loop().run(() -> whenQuiet(quiet));
    long left = GRACE.toNanos() - (System.nanoTime() - stoppedNanos);
    try {
      if (!quiet.await(Math.max(left, 0), TimeUnit.NANOSECONDS)) {
        LOG.warn("Some deliveries did not end in time; they are made again after their leases");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void whenQuiet(CountDownLatch quiet) {
    if (pumps.running().isEmpty()) {
      quiet.countDown();
    } else {
      parts.loop().after(Duration.ofMillis(10), () -> whenQuiet(quiet));
    }
  }
}
