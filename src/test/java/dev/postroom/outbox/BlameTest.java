package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Circuit.Blame;
import dev.postroom.outbox.Circuit.State;
import dev.postroom.testkit.Seed;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Whose fault it is: generated sequences of what lanes come to. */
class BlameTest {
  private static final Duration CAP = Duration.ofMinutes(1);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long HEALTHY = 1_000;

  private Random random;
  private Circuit circuit;
  private long now;

  @BeforeEach
  void generate() {
    random = new Random(Seed.pick("blame"));
    circuit = new Circuit(16, CAP, new Backoff(random));
  }

  private Blame fails(long lane) {
    return circuit.failed(lane, true, null, now);
  }

  private void healthyGoesThrough() {
    circuit.succeeded(HEALTHY + random.nextInt(100), now);
  }

  /** Lanes from 0 fail for ever, and that was seen: twice, with others going through in between. */
  private int poisoned() {
    int lanes = 1 + random.nextInt(60);
    for (int round = 0; round < 2; round++) {
      for (int lane = 0; lane < lanes; lane++) {
        assertEquals(Blame.LANE, fails(lane));
        if (lane % 9 == 8) {
          healthyGoesThrough();
        }
      }
      healthyGoesThrough();
    }
    return lanes;
  }

  /** Waits until a probe may go, and sends it. */
  private void halfOpen() {
    Long wait = circuit.nextChange(now);
    now += wait == null ? 0 : wait;
    assertEquals(1, circuit.limit(now));
    circuit.begun();
  }

  @RepeatedTest(20)
  @DisplayName("H4: lanes that fail for ever are charged, and open the circuit for nobody")
  void lanesByThemselves() {
    int lanes = poisoned();
    for (int i = 0; i < 5_000; i++) {
      now += random.nextInt(10) * SECOND;
      if (random.nextInt(200) == 0) {
        healthyGoesThrough();
      } else {
        assertEquals(Blame.LANE, fails(random.nextInt(lanes)));
      }
      assertEquals(16, circuit.limit(now));
    }
  }

  @RepeatedTest(20)
  @DisplayName("H6: once a sink is taken to be down, no lane is charged, however long it is")
  void down() {
    int lanes = poisoned();
    int charged = 0;
    while (circuit.state(now) == State.CLOSED) {
      long lane = HEALTHY + random.nextInt(3 + random.nextInt(50));
      charged += fails(lane) == Blame.LANE ? 1 : 0;
    }
    assertTrue(charged < 1_000, "by then " + charged);
    for (int i = 0; i < 2_000; i++) {
      if (circuit.state(now) == State.OPEN) {
        // What had been under way.
        assertNotEquals(Blame.LANE, fails(random.nextInt(1_100)));
      }
      halfOpen();
      boolean one = random.nextBoolean();
      assertEquals(
          one ? Blame.UNKNOWN : Blame.SINK, fails(one ? random.nextInt(lanes) : HEALTHY + i % 50));
      assertEquals(one ? State.HALF_OPEN : State.OPEN, circuit.state(now));
    }
  }

  @RepeatedTest(20)
  @DisplayName("H4, C3: a probe that fails by itself lengthens nobody's wait; another goes at once")
  void probesByThemselves() {
    int lanes = poisoned();
    for (int i = 0; i < 5; i++) {
      assertEquals(Blame.SINK, circuit.failed(HEALTHY + i, false, null, now));
    }
    halfOpen();
    for (int i = 0; i < 100; i++) {
      assertEquals(Blame.UNKNOWN, fails(random.nextInt(lanes)));
      assertEquals(1, circuit.limit(now));
      circuit.begun();
    }
    healthyGoesThrough();
    assertEquals(State.CLOSED, circuit.state(now));
    assertEquals(Blame.LANE, fails(random.nextInt(lanes)), "as before");
  }

  @RepeatedTest(20)
  @DisplayName(
      "H6: lanes that failed because the sink was down are not taken to fail by themselves")
  void outagesAreNoStrikes() {
    for (int outage = 0; outage < 50; outage++) {
      while (circuit.state(now) == State.CLOSED) {
        fails(random.nextInt(20));
      }
      // An answer that was late.
      circuit.succeeded(HEALTHY, now);
      halfOpen();
      circuit.succeeded(random.nextInt(20), now);
      now += 60 * SECOND;
    }
    assertEquals(16, circuit.limit(now));
    for (int i = 0; i < 9; i++) {
      fails(i);
    }
    assertEquals(Blame.SINK, fails(10));
  }

  @Test
  @DisplayName("H4: a lane that goes through counts again as any other")
  void redeemed() {
    int lanes = poisoned();
    for (int lane = 0; lane < lanes; lane++) {
      circuit.succeeded(lane, now);
    }
    for (int i = 0; i < 9; i++) {
      fails(i % Math.max(lanes, 3));
    }
    assertEquals(Blame.SINK, fails(0));
  }

  @Test
  @DisplayName("H6: a lone lane that cannot be connected for is never charged")
  void loneAndUnreached() {
    for (int i = 0; i < 1_000; i++) {
      if (circuit.state(now) != State.CLOSED) {
        halfOpen();
      }
      assertEquals(Blame.SINK, circuit.failed(1, false, null, now));
    }
  }

  @Test
  @DisplayName(
      "S1: more lanes than are remembered: the oldest count as any other, the newest do not")
  void remembersSome() {
    strikeTwice(0, 1_000);
    strikeTwice(1_000, 1_005);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(Blame.LANE, fails(5 + random.nextInt(1_000)));
    }
    for (int i = 0; i < 9; i++) {
      fails(i % 5);
    }
    assertEquals(Blame.SINK, fails(0));
  }

  private void strikeTwice(int from, int to) {
    for (int round = 0; round < 2; round++) {
      for (int lane = from; lane < to; lane++) {
        fails(lane);
        circuit.succeeded(5_000, now);
      }
    }
  }
}
