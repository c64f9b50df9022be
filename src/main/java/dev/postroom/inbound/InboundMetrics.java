package dev.postroom.inbound;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What became of events that were delivered to us. Safe for any thread. */
@Startup // its meters are there from the first scrape on
@Singleton
public final class InboundMetrics {

  private final Map<Result, Counter> results = new EnumMap<>(Result.class);

  InboundMetrics(MeterRegistry registry) {
    for (Result result : Result.values()) {
      results.put(
          result,
          Counter.builder("postroom.inbound")
              .description("events delivered to us")
              .tag("result", result.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  /** One delivery. */
  public enum Result {
    ACCEPTED,
    REPEATED,
    /** Of a type that its source does not take. */
    IGNORED,
    UNAUTHORIZED,
    /** For good or for now; the code is counted with the commands' own. */
    REFUSED
  }

  /** Counts it. */
  public void count(Result result) {
    Counter counter = results.get(result);
    if (counter != null) {
      counter.increment();
    }
  }
}
