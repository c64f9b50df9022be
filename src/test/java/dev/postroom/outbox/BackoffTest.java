package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.Seed;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Duration BASE = Duration.ofSeconds(1);
  private static final Duration CAP = Duration.ofMinutes(10);

  private final Backoff backoff = new Backoff(new Random(Seed.pick("backoff")));

  @Test
  @DisplayName("C3: full jitter fills the whole range up to the cap and never leaves it")
  void fullJitter() {
    for (int failures = 1; failures < 200; failures++) {
      long ceiling = Math.min(1000L << Math.min(failures - 1, 30), CAP.toMillis());
      long least = Long.MAX_VALUE;
      long most = 0;
      for (int i = 0; i < 500; i++) {
        long wait = backoff.jittered(BASE, CAP, failures).toMillis();
        assertTrue(wait >= 1 && wait <= ceiling, () -> wait + " over " + ceiling);
        least = Math.min(least, wait);
        most = Math.max(most, wait);
      }
      assertTrue(least < ceiling / 5 && most > ceiling * 4 / 5, "not spread");
    }
  }

  @Test
  @DisplayName("W7, W8: the schedule has an end, and each step is within a fifth")
  void schedule() {
    List<Duration> steps = Relaying.config(java.util.Map.of()).schedule();
    for (int failures = 1; failures <= steps.size(); failures++) {
      Duration wait = backoff.step(steps, failures);
      assertNotNull(wait);
      double ratio = (double) wait.toMillis() / steps.get(failures - 1).toMillis();
      assertTrue(ratio >= 0.8 && ratio <= 1.2, () -> "ratio " + ratio);
    }
    assertNull(backoff.step(steps, steps.size() + 1));
  }
}
