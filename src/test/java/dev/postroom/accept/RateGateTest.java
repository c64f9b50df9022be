package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateGateTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final RateGate gate = new RateGate(10, 3, 2, now::get);

  @Test
  void aBurstThenTheRate() {
    for (int n = 0; n < 3; n++) {
      assertEquals(0, gate.take("ann"));
    }
    assertEquals(100, gate.take("ann"));
    now.addAndGet(60_000_000);
    assertEquals(40, gate.take("ann"));
    now.addAndGet(40_000_000);
    assertEquals(0, gate.take("ann"));
    assertEquals(100, gate.take("ann"));
  }

  @Test
  void participantsDoNotShare() {
    for (int n = 0; n < 4; n++) {
      gate.take("ann");
    }
    assertEquals(0, gate.take("bob"));
  }

  @Test
  void theOneNotSeenForLongestIsForgotten() {
    for (int n = 0; n < 4; n++) {
      gate.take("ann");
    }
    gate.take("bob");
    gate.take("cid");
    assertEquals(0, gate.take("ann"));
  }

  @Test
  void zeroIsOff() {
    RateGate off = new RateGate(0, 0, 2, now::get);
    for (int n = 0; n < 1_000; n++) {
      assertEquals(0, off.take("ann"));
    }
  }
}
