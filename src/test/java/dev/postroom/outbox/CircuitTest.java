package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Circuit.Blame;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CircuitTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Duration CAP = Duration.ofMinutes(1);

  private final Circuit circuit = new Circuit(16, CAP, new Backoff(new Random(7)));

  private void unreachable(int times, long now) {
    for (int i = 0; i < times; i++) {
      circuit.failed(i, false, null, now);
    }
  }

  @Test
  @DisplayName("H4: a sink that cannot be reached five times in a row is left alone")
  void opens() {
    unreachable(4, 0);
    assertEquals(16, circuit.limit(0));
    unreachable(1, 0);
    assertEquals(0, circuit.limit(0));
    assertEquals(Circuit.State.OPEN, circuit.state(0));
  }

  @Test
  @DisplayName("W7: one lane that fails for ever does not close the sink to others, and is charged")
  void oneLane() {
    for (int i = 0; i < 100; i++) {
      assertEquals(Blame.LANE, circuit.failed(1, true, null, 0));
    }
    assertEquals(16, circuit.limit(0));
  }

  @Test
  @DisplayName("H6: failures of many lanes without a success in between are the sink's")
  void manyLanes() {
    for (int i = 0; i < 9; i++) {
      assertEquals(Blame.LANE, circuit.failed(i, true, null, 0));
    }
    assertEquals(Blame.SINK, circuit.failed(9, true, null, 0));
    assertEquals(0, circuit.limit(0));
  }

  @Test
  @DisplayName("H6: a sink that fails now and then stays open to all")
  void flaky() {
    for (int i = 0; i < 1_000; i++) {
      circuit.failed(i % 20, true, null, i);
      if (i % 3 == 0) {
        circuit.succeeded(i % 20, i);
      }
      assertEquals(16, circuit.limit(i));
    }
  }

  @Test
  @DisplayName("C3: one probe, and after its success a slow start")
  void slowStart() {
    unreachable(5, 0);
    long after = CAP.toNanos() + 1;
    assertEquals(1, circuit.limit(after));
    circuit.begun();
    assertEquals(0, circuit.limit(after), "one probe at a time");
    circuit.succeeded(0, after);

    assertEquals(1, circuit.limit(after));
    assertEquals(1, circuit.limit(after + SECOND - 1));
    assertEquals(2, circuit.limit(after + SECOND));
    assertEquals(8, circuit.limit(after + 3 * SECOND));
    assertEquals(16, circuit.limit(after + 4 * SECOND));
    assertEquals(16, circuit.limit(after + 400 * SECOND));
    assertNull(circuit.nextChange(after + 400 * SECOND));
  }

  @Test
  @DisplayName("H6: a probe that fails is charged to no lane, and the wait grows up to the cap")
  void probeFails() {
    unreachable(5, 0);
    long now = 0;
    for (int i = 0; i < 50; i++) {
      Long wait = circuit.nextChange(now);
      assertNotNull(wait);
      assertTrue(wait <= CAP.toNanos());
      now += wait;
      assertEquals(1, circuit.limit(now));
      circuit.begun();
      assertEquals(Blame.SINK, circuit.failed(i, true, null, now));
      assertEquals(Circuit.State.OPEN, circuit.state(now));
    }
  }

  @Test
  @DisplayName("A probe that our own side spoiled is followed by another")
  void undecided() {
    unreachable(5, 0);
    long after = CAP.toNanos();
    assertEquals(1, circuit.limit(after));
    circuit.begun();
    circuit.undecided();
    assertEquals(1, circuit.limit(after));
  }

  @Test
  @DisplayName("A sink that asks for a pause gets it, at the first time of asking")
  void pause() {
    assertEquals(Blame.SINK, circuit.failed(1, true, Duration.ofMinutes(10), 0));
    assertEquals(0, circuit.limit(Duration.ofMinutes(10).toNanos() - 1));
    assertEquals(1, circuit.limit(Duration.ofMinutes(10).toNanos()));
  }

  @Test
  @DisplayName("H4: a lane that asks for a pause again, after others went through, waits alone")
  void asksAlone() {
    Duration asked = Duration.ofMinutes(10);
    long over = asked.toNanos();
    assertEquals(Blame.SINK, circuit.failed(1, true, asked, 0));
    assertEquals(1, circuit.limit(over));
    circuit.begun();
    circuit.succeeded(2, over);
    assertEquals(Blame.LANE, circuit.failed(1, true, asked, over));
    assertEquals(Circuit.State.CLOSED, circuit.state(over));
    // Of another lane it is believed as ever, and a probe that asks alone ends nothing.
    assertEquals(Blame.SINK, circuit.failed(3, true, asked, over));
    assertEquals(1, circuit.limit(2 * over));
    circuit.begun();
    assertEquals(Blame.UNKNOWN, circuit.failed(1, true, asked, 2 * over));
    assertEquals(1, circuit.limit(2 * over));
    circuit.begun();
    circuit.succeeded(1, 2 * over);
    assertEquals(Blame.SINK, circuit.failed(1, true, asked, 2 * over), "it had gone through");
  }

  @Test
  @DisplayName(
      "H6: a lane that asked for a pause and goes through first thereafter is as any other")
  void askedAndCameBack() {
    Duration asked = Duration.ofMinutes(10);
    for (int i = 0; i < 10; i++) {
      long now = i * 2 * asked.toNanos();
      assertEquals(Blame.SINK, circuit.failed(1, true, asked, now));
      assertEquals(1, circuit.limit(now + asked.toNanos()));
      circuit.begun();
      circuit.succeeded(1, now + asked.toNanos());
    }
  }
}
