package dev.postroom.bench.scenario;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarmupTest {

  @Test
  void twoWindowsWithinFivePercentAreFlat() {
    assertTrue(Warmup.flat(List.of(100L, 1_000L, 1_049L)));
    assertTrue(Warmup.flat(List.of(100L, 1_000L, 951L)));
  }

  @Test
  void aRateThatStillRisesIsNot() {
    assertFalse(Warmup.flat(List.of(1_000L, 1_051L)));
  }

  @Test
  void oneWindowSaysNothing() {
    assertFalse(Warmup.flat(List.of(1_000L)));
  }
}
