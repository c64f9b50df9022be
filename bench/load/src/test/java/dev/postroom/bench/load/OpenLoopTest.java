package dev.postroom.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class OpenLoopTest {

  @Test
  void aSecondHasAsManyCommandsAsTheRate() {
    double nanosEach = 1e9 / 1_500;

    assertTrue(OpenLoop.dueAfter(1_499, nanosEach) <= 1_000_000_000L);
    assertEquals(1_000_000_000L, OpenLoop.dueAfter(1_500, nanosEach));
  }

  @Test
  void commandsAreDueAtTicks() {
    assertEquals(2_000_000, OpenLoop.dueAfter(3, 1e9 / 1_999));
  }
}
