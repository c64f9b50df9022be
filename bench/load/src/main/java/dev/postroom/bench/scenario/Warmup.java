package dev.postroom.bench.scenario;

import dev.postroom.bench.Options;
import dev.postroom.bench.load.Tally;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The time before measuring: as long as was asked for, and then until the rate is flat, but three
 * times as long at the most.
 *
 * @param seconds how long it took
 * @param flat whether two neighbouring windows in the end differed by at most five percent
 * @param rates accepted messages a second, window by window
 */
record Warmup(double seconds, boolean flat, List<Long> rates) {
  private static final double FLAT = 0.05;
  private static final int WINDOWS = 4;

  static Warmup under(Tally tally, Options options) throws InterruptedException {
    long windowMillis = Math.max(1_000, options.warmup() * 1_000L / WINDOWS);
    long start = System.nanoTime();
    List<Long> rates = new ArrayList<>();
    double elapsed = 0;
    boolean flat = false;
    while (elapsed < options.warmup() || !flat && elapsed < 3 * options.warmup()) {
      long before = tally.accepted();
      long from = System.nanoTime();
      TimeUnit.MILLISECONDS.sleep(windowMillis);
      double took = (System.nanoTime() - from) / 1e9;
      rates.add(Math.round((tally.accepted() - before) / took));
      flat = flat(rates);
      elapsed = (System.nanoTime() - start) / 1e9;
    }
    return new Warmup(elapsed, flat, rates);
  }

  static boolean flat(List<Long> rates) {
    if (rates.size() < 2) {
      return false;
    }
    double last = rates.get(rates.size() - 1);
    double before = rates.get(rates.size() - 2);
    return Math.abs(last - before) <= FLAT * before;
  }
}
