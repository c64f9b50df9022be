package dev.postroom.accept;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How fast one participant may send: a bucket of {@code burst} tokens, refilled {@code rate} times
 * a second. Repeats cost a token too.
 *
 * <p>Remembers a bounded number of participants; the one not seen for longest is forgotten, which
 * is the same as a full bucket.
 *
 * <p>Pure: safe for any thread.
 */
final class RateGate {
  private static final double NANOS_PER_SECOND = 1e9;

  private final int rate;
  private final int burst;
  private final LongSupplier nanoTime;
  private final Map<String, Bucket> buckets;

  /**
   * @param rate tokens a second; 0 lets everything pass
   * @param nanoTime a clock that never steps back, as {@link System#nanoTime}
   */
  RateGate(int rate, int burst, int participants, LongSupplier nanoTime) {
    this.rate = rate;
    this.burst = burst;
    this.nanoTime = nanoTime;
    this.buckets =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > participants;
          }
        };
  }

  /**
   * Takes a token.
   *
   * @return 0, or the milliseconds after which there is one again
   */
  synchronized long take(String participant) {
    if (rate == 0) {
      return 0;
    }
    long now = nanoTime.getAsLong();
    Bucket bucket = buckets.computeIfAbsent(participant, fresh -> new Bucket(burst, now));
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.asOf) / NANOS_PER_SECOND * rate);
    bucket.asOf = now;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 0;
    }
    return (long) Math.ceil((1 - bucket.tokens) * 1000 / rate);
  }

  private static final class Bucket {
    private double tokens;
    private long asOf;

    Bucket(double tokens, long asOf) {
      this.tokens = tokens;
      this.asOf = asOf;
    }
  }
}
