package dev.postroom.accept;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What is counted and timed about accepting. Safe for any thread. */
@ApplicationScoped
class AcceptMetrics {
  private final MeterRegistry registry;
  private final Counter accepted;
  private final Counter duplicates;
  private final Counter conflicts;
  private final Counter collisions;
  private final DistributionSummary batchSize;
  private final Timer seconds;

  AcceptMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.accepted =
        Counter.builder("postroom.accepted").description("messages stored").register(registry);
    this.duplicates =
        Counter.builder("postroom.duplicates")
            .description("repeats answered with the first result")
            .register(registry);
    this.conflicts =
        Counter.builder("postroom.conflicts")
            .description("keys used again with other content")
            .register(registry);
    this.collisions =
        Counter.builder("postroom.accept.collisions")
            .description("keys or numbers that somebody took without the room's lock")
            .register(registry);
    this.batchSize =
        DistributionSummary.builder("postroom.batch.size")
            .description("commands in one transaction")
            .register(registry);
    this.seconds =
        Timer.builder("postroom.accept")
            .description("from taking a command to its answer")
            .publishPercentileHistogram()
            .register(registry);
  }

  void watchQueue(AtomicInteger queued) {
    registry.gauge("postroom.accept.queued", queued);
  }

  double collisions() {
    return collisions.count();
  }

  /** The UNIQUE constraint refused what the look before had not found. */
  void collision() {
    collisions.increment();
  }

  DistributionSummary batchSize() {
    return batchSize;
  }

  void batch(int commands) {
    batchSize.record(commands);
  }

  void outcome(Outcome outcome, long nanos) {
    seconds.record(nanos, TimeUnit.NANOSECONDS);
    if (outcome instanceof Outcome.Accepted done) {
      (done.duplicate() ? duplicates : accepted).increment();
    } else if (outcome instanceof Outcome.Conflict) {
      conflicts.increment();
    }
  }
}
