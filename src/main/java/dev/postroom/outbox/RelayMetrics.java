package dev.postroom.outbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;

/**
 * What is counted and timed about handing over. Labels are sinks, of which there are few, and
 * words; never rooms. Safe for any thread.
 */
@Startup // its meters are there from the first scrape on
@ApplicationScoped
class RelayMetrics {
  private final MeterRegistry registry;
  private final Timer acceptToDelivered;
  private final Counter repeats;
  private final Counter takenOver;
  private final Counter fenced;
  private final Counter settleLost;
  private final Counter sweepFound;
  private final Counter parked;
  private final Counter skipped;

  RelayMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.acceptToDelivered =
        Timer.builder("postroom.relay.accept.to.delivered")
            .description("from accepting a message to a sink's first positive answer, first tries")
            .publishPercentileHistogram()
            .register(registry);
    this.repeats = counter("postroom.relay.repeats", "events handed over again, outcome unknown");
    this.takenOver = counter("postroom.relay.taken.over", "lanes whose lease had run out");
    this.fenced = counter("postroom.relay.fenced", "settlements of a lease that was lost");
    this.settleLost = counter("postroom.relay.settle.lost", "settlements that were not written");
    this.sweepFound =
        counter("postroom.relay.sweep.found", "outbox rows or lanes that only the sweep found");
    this.parked = counter("postroom.relay.parked", "lanes parked");
    this.skipped = counter("postroom.relay.skipped", "events made dead letters");
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  void published(SinkRow sink, Attempt outcome, long nanos) {
    Timer.builder("postroom.relay.publish")
        .description("one delivery, by its result")
        .tags(Tags.of("sink", sink.id(), "outcome", outcome.word))
        .register(registry)
        .record(Duration.ofNanos(nanos));
  }

  void firstDelivered(Instant acceptedAt) {
    Duration took = Duration.between(acceptedAt, Instant.now());
    acceptToDelivered.record(took.isNegative() ? Duration.ZERO : took);
  }

  void repeat() {
    repeats.increment();
  }

  void leaseTakenOver() {
    takenOver.increment();
  }

  void fenced() {
    fenced.increment();
  }

  void settleLost(int lanes) {
    settleLost.increment(lanes);
  }

  void sweepFound() {
    sweepFound.increment();
  }

  /** It is written, by the node whose lane it is: only then a lane is parked, an event left out. */
  void settled(Settlement.Then then) {
    if (then instanceof Settlement.Then.Park) {
      parked.increment();
    } else if (then instanceof Settlement.Then.Skip) {
      skipped.increment();
    }
  }

  /** How one delivery ended (H6). */
  enum Attempt {
    DELIVERED("delivered"),
    EVENT_FAULT("event_fault"),
    SINK_FAULT("sink_fault"),
    OWN_FAULT("own_fault"),
    GONE("gone");

    private final String word;

    Attempt(String word) {
      this.word = word;
    }
  }
}
