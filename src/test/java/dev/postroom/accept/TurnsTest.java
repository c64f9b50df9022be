package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.accept.Command.Line;
import dev.postroom.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("N2, ORD-03: one line's commands keep their order")
class TurnsTest {
  private static final Line LINE = new Line("socket", "room");
  private static final Outcome DONE = new Outcome.StaleHead(0);

  private final AtomicLong now = new AtomicLong();
  private final Turns turns = new Turns(now::get);
  private final List<String> log = new ArrayList<>();

  @Test
  void whoIsReadyFirstWaitsForWhoCameFirst() {
    Turns.Turn a = turns.enter(LINE, "a");
    Turns.Turn b = turns.enter(LINE, "b");
    ready(b, "b");
    ready(a, "a");
    assertEquals(List.of("a", "b"), log);
  }

  @Test
  void otherLinesDoNotWait() {
    turns.enter(LINE, "a");
    ready(turns.enter(new Line("socket", "other"), "b"), "b");
    ready(turns.enter(new Line("other", "room"), "c"), "c");
    assertEquals(List.of("b", "c"), log);
  }

  @Test
  void whatIsOnItsWayDoesNotOvertakeWhatMustComeAgain() {
    Turns.Turn a = turns.enter(LINE, "a");
    Turns.Turn b = turns.enter(LINE, "b");
    ready(a, "a");
    a.end(Refusals.busy());
    ready(b, "b");
    b.end(Refusals.busy());
    Turns.Turn c = turns.enter(LINE, "c");
    ready(c, "c");
    c.end(Refusals.busy());
    ready(turns.enter(LINE, "a"), "a again");
    ready(turns.enter(LINE, "b"), "b again");
    assertEquals(List.of("a", "b busy", "c busy", "a again", "b again"), log);
  }

  @Test
  @DisplayName("A slow look at the right does not let a command past the repeat of an earlier one")
  void theRepeatDoesNotFreeWhatWasOnItsWayBefore() {
    Turns.Turn a = turns.enter(LINE, "a");
    Turns.Turn b = turns.enter(LINE, "b");
    Turns.Turn c = turns.enter(LINE, "c");
    ready(a, "a");
    a.end(Refusals.busy());
    Turns.Turn again = turns.enter(LINE, "a");
    ready(b, "b");
    b.end(Refusals.busy());
    now.addAndGet(2_000_000_000);
    ready(again, "a again");
    ready(c, "c");
    c.end(Refusals.busy());
    again.end(DONE);
    ready(turns.enter(LINE, "b"), "b again");
    assertEquals(List.of("a", "b busy", "c busy", "a again", "b again"), log);
  }

  @Test
  void aCommandThatNeverComesAgainHoldsForASecond() {
    Turns.Turn a = turns.enter(LINE, "a");
    ready(a, "a");
    a.end(Refusals.busy());
    now.addAndGet(1_000_000_000);
    ready(turns.enter(LINE, "b"), "b");
    assertEquals(List.of("a", "b"), log);
  }

  @Test
  void apermanentRefusalHoldsNobody() {
    Turns.Turn a = turns.enter(LINE, "a");
    ready(a, "a");
    a.end(Refusals.forbidden());
    ready(turns.enter(LINE, "b"), "b");
    assertEquals(List.of("a", "b"), log);
  }

  @Test
  @DisplayName("S1: nothing is remembered of lines that are done")
  void forgets() {
    for (int n = 0; n < 100; n++) {
      Turns.Turn turn = turns.enter(new Line("socket " + n, "room"), "a");
      ready(turn, "a");
      turn.end(n % 2 == 0 ? DONE : Refusals.busy());
    }
    assertEquals(50, turns.size());
    now.addAndGet(1_000_000_000);
    Turns.Turn last = turns.enter(LINE, "a");
    ready(last, "a");
    last.end(DONE);
    assertEquals(0, turns.size());
  }

  private void ready(Turns.Turn turn, String name) {
    turn.ready(
        behind -> {
          if (behind != null) {
            assertEquals(ErrorCode.BUSY, behind.code());
          }
          log.add(behind == null ? name : name + " busy");
        });
  }
}
