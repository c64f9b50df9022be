package dev.postroom.outbox;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait after failures in a row.
 *
 * <p>Pure: counts and randomness in, durations out.
 */
final class Backoff {
  private static final double SPREAD = 0.2;
  private static final int MOST_DOUBLINGS = 30;

  private final RandomGenerator random;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Full jitter: anything from zero to the doubled base, so that many who failed together do not
   * come back together.
   *
   * @param failures how many there were in a row, from 1
   */
  Duration jittered(Duration base, Duration cap, int failures) {
    int doublings = Math.min(Math.max(failures, 1) - 1, MOST_DOUBLINGS);
    double ceiling = Math.min(base.toMillis() * Math.pow(2, doublings), cap.toMillis());
    return Duration.ofMillis(Math.max(1, (long) (random.nextDouble() * ceiling)));
  }

  /**
   * The step of a schedule, give or take a fifth.
   *
   * @param failures how many there were in a row, from 1
   * @return null once the schedule is used up
   */
  @Nullable Duration step(List<Duration> schedule, int failures) {
    if (failures > schedule.size()) {
      return null;
    }
    double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
    long millis = schedule.get(Math.max(failures, 1) - 1).toMillis();
    return Duration.ofMillis(Math.max(1, (long) (millis * factor)));
  }
}
