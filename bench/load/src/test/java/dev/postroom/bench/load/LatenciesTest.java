package dev.postroom.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  private final Latencies latencies = new Latencies(2);

  @Test
  void samplesAreMergedBeforePercentiles() {
    // One loop with 99 short ones, the other with a single long one: its own median says nothing.
    for (int i = 0; i < 99; i++) {
      latencies.record(0, 1_000);
    }
    latencies.record(1, 1_000_000);

    Histogram merged = latencies.take();

    assertEquals(100, merged.getTotalCount());
    assertEquals(1_000, merged.getValueAtPercentile(99), 10);
    assertEquals(1_000_000, merged.getMaxValue(), 1_000);
  }

  @Test
  void whatWasTakenIsNotTakenAgain() {
    latencies.record(0, 1_000);
    latencies.take();

    assertEquals(0, latencies.take().getTotalCount());
  }
}
