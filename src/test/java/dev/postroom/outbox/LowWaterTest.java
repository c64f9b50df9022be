package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LowWaterTest {
  private final LowWater low = new LowWater(0);

  private boolean rung(int taken, long highest, long above, int second) {
    return low.rung(
        new Outbox.Rung(taken, highest, Set.of()), above, Duration.ofSeconds(second).toNanos());
  }

  private void rise() {
    rung(1, 100, 0, 11);
    rung(1, 120, 0, 22);
    assertEquals(100, low.number());
  }

  @Test
  @DisplayName("L1: rises over what left so long ago that nothing below can still be written")
  void rises() {
    rung(1, 90, 0, 1);
    assertEquals(0, low.number());
    rise();
    rung(1, 130, 100, 23);
    assertEquals(100, low.number());
    rung(0, 0, 100, 33);
    assertEquals(120, low.number());
  }

  @Test
  @DisplayName("S3: a sweep that finds rows above as well has found nothing that others would not")
  void sweepsAbove() {
    rise();
    assertFalse(rung(2, 121, 0, 23));
    assertFalse(rung(0, 0, 0, 24));
    assertEquals(100, low.number());
  }

  @Test
  @DisplayName("L2: where numbers begin anew, rows are found by every look again")
  void begins() {
    rise();
    assertTrue(rung(1, 7, 0, 23));
    assertEquals(0, low.number());
    assertFalse(rung(1, 8, 0, 24));
    rung(1, 9, 0, 34);
    assertEquals(0, low.number(), "nor does what was seen before come back");
    rung(1, 10, 0, 45);
    assertEquals(9, low.number());
  }
}
