package dev.postroom.accept;

import dev.postroom.protocol.ErrorCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * What clients were refused, by the code that they got: counted where it is told, so that no way of
 * refusing is left out. Safe for any thread.
 */
@Startup // its meters are there from the first scrape on
@ApplicationScoped
public class RefusalCounts {
  private final Map<ErrorCode, Counter> counters = new EnumMap<>(ErrorCode.class);

  public RefusalCounts(MeterRegistry registry) {
    Arrays.stream(ErrorCode.values())
        .forEach(
            code ->
                counters.put(
                    code,
                    Counter.builder("postroom.refused")
                        .description("frames and requests refused")
                        .tag("code", code.wire())
                        .register(registry)));
  }

  /** A frame or a request was answered with this code. */
  public void count(ErrorCode code) {
    Counter counter = counters.get(code);
    if (counter != null) {
      counter.increment();
    }
  }
}
