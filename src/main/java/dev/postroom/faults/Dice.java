package dev.postroom.faults;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Chance that can be had again: a sequence of its own for every participant and fault, whatever
 * happens to others meanwhile. Pure. Safe for any thread.
 */
final class Dice {
  private static final int MOST_PARTICIPANTS = 10_000;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final Map<String, AtomicLongArray> thrown = new ConcurrentHashMap<>();
  private final long seed;

  Dice(long seed) {
    this.seed = seed;
  }

  /** The next number of this sequence, from 0 to below 1. */
  double next(Fault fault, String participant) {
    // Beyond the bound they share one sequence, which is still chance.
    String whose =
        thrown.size() < MOST_PARTICIPANTS || thrown.containsKey(participant) ? participant : "";
    long throwNo =
        thrown
            .computeIfAbsent(whose, name -> new AtomicLongArray(Fault.values().length))
            .getAndIncrement(fault.ordinal());
    long sequence = seed + SPREAD * (31L * whose.hashCode() + fault.ordinal());
    return new SplittableRandom(new SplittableRandom(sequence).nextLong() + throwNo).nextDouble();
  }
}
