package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MailboxTest {
  private final FakeWire wire = new FakeWire();
  private final Mailbox mailbox = new Mailbox(wire, 8, 400_000);

  @Test
  void inOrder() {
    mailbox.put("a", 1);
    mailbox.offer("b", 1);
    mailbox.put("c", 1);
    wire.runAll();
    assertEquals(List.of("a", "b", "c"), wire.written);
  }

  @Test
  @DisplayName("F1: a reader that takes nothing costs its bound, live events are refused over it")
  void boundInFrames() {
    int taken = 0;
    while (mailbox.offer("x", 1)) {
      taken++;
    }
    assertEquals(8, taken);
  }

  @Test
  @DisplayName("F1: an overflow is told once, until there was room again")
  void overflowIsToldOnce() {
    for (int times = 1; times <= 2; times++) {
      while (mailbox.offer("x", 1)) {}
      assertFalse(mailbox.offer("x", 1));
      assertEquals(times, wire.overflows);
      wire.runAll();
      wire.completeAll();
    }
    mailbox.finish(() -> {});
    assertFalse(mailbox.offer("x", 1));
    assertEquals(2, wire.overflows, "closed is not full");
  }

  @Test
  @DisplayName("F1: the bound counts bytes handed to the network as well")
  void boundInBytes() {
    int taken = 0;
    while (mailbox.offer("x", 100_000)) {
      taken++;
      wire.runAll();
    }
    assertEquals(4, taken);
    assertEquals(2, wire.written.size(), "only a part is handed to the network");
  }

  @Test
  void answersAreTakenOverTheBound() {
    while (mailbox.offer("x", 1)) {}
    mailbox.put("ack", 1);
    wire.runAll();
    wire.completeAll();
    assertEquals("ack", wire.written.get(8));
  }

  @Test
  void roomyIsToldWhenHalfIsFree() {
    for (int i = 0; i < 4; i++) {
      mailbox.offer("x", 100_000);
    }
    wire.runAll();
    wire.complete();
    assertEquals(0, wire.roomy);
    wire.complete();
    assertEquals(1, wire.roomy);
  }

  @Test
  void whatWaitsIsWrittenBeforeTheEnd() {
    mailbox.put("a", 200_000);
    mailbox.put("b", 1);
    mailbox.finish(() -> wire.written.add("end"));
    wire.runAll();
    assertEquals(List.of("a"), wire.written);
    wire.completeAll();
    assertEquals(List.of("a", "b", "end"), wire.written);
    assertFalse(mailbox.offer("late", 1));
  }

  @Test
  @DisplayName("F1: stuck is: something waits and nothing was written since")
  void stuck() {
    assertFalse(mailbox.stuckSince(Long.MAX_VALUE / 2));
    mailbox.put("a", 1);
    wire.runAll();
    assertTrue(mailbox.stuckSince(System.nanoTime() + 1));
    wire.complete();
    assertFalse(mailbox.stuckSince(System.nanoTime() + 1));
  }

  /** An event loop and a network that do what the test says, when it says so. */
  private static final class FakeWire implements Mailbox.Wire {
    final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    final ArrayDeque<Runnable> writing = new ArrayDeque<>();
    final List<String> written = new ArrayList<>();
    int overflows;
    int roomy;

    void runAll() {
      while (!tasks.isEmpty()) {
        tasks.poll().run();
      }
    }

    void complete() {
      writing.poll().run();
      runAll();
    }

    void completeAll() {
      while (!writing.isEmpty()) {
        complete();
      }
    }

    @Override
    public void later(Runnable task) {
      tasks.add(task);
    }

    @Override
    public void write(String frame, Runnable done) {
      written.add(frame);
      writing.add(done);
    }

    @Override
    public void overflowed() {
      overflows++;
    }

    @Override
    public void roomy() {
      roomy++;
    }
  }
}
