package dev.postroom.bench.load;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Times in nanoseconds, one recorder per event loop, merged before anybody asks for a percentile.
 */
public final class Latencies {
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);
  private static final int DIGITS = 3;

  private final List<Recorder> loops;

  Latencies(int loops) {
    this.loops = Stream.generate(() -> new Recorder(LONGEST, DIGITS)).limit(loops).toList();
  }

  void record(int loop, long nanos) {
    loops.get(loop).recordValue(Math.min(LONGEST, Math.max(0, nanos)));
  }

  /** What was recorded since the last call, of all loops together. */
  public Histogram take() {
    return merged(loops.stream().map(Recorder::getIntervalHistogram).toList());
  }

  /** The samples of several, as if one had recorded them. */
  static Histogram merged(List<Histogram> parts) {
    Histogram merged = new Histogram(LONGEST, DIGITS);
    parts.forEach(merged::add);
    return merged;
  }
}
