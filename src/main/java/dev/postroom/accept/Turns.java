package dev.postroom.accept;

import dev.postroom.accept.Command.Line;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the order of one line's commands up to the combiner (N2): they go on in the order in which
 * they came, however long the look at the right takes for each.
 *
 * <p>A command that is refused for the moment has to be sent again; those of its line that were
 * already on their way must not overtake it. So they are refused as it was, and so are, for one
 * second or until it has come again, those that follow.
 *
 * <p>Remembers a line only while one of its commands is open or held for. Pure: safe for any
 * thread.
 */
final class Turns {
  private static final long HOLD_NANOS = 1_000_000_000L;

  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<Line, State> lines = new ConcurrentHashMap<>();
  private final Queue<Line> held = new ConcurrentLinkedQueue<>();

  /**
   * @param nanoTime a clock that never steps back, as {@link System#nanoTime}
   */
  Turns(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Takes the next place in the line. */
  Turn enter(Line line, String clientMessageId) {
    forget();
    State state =
        Objects.requireNonNull(
            lines.compute(line, (key, known) -> (known == null ? new State() : known).open()));
    return state.enter(line, clientMessageId);
  }

  /** How many lines are remembered. */
  int size() {
    return lines.size();
  }

  private void forget() {
    for (Line line = held.peek(); line != null && isOver(line); line = held.peek()) {
      held.remove(line);
      removeIfIdle(line);
    }
  }

  private boolean isOver(Line line) {
    State state = lines.get(line);
    return state == null || !state.isHolding();
  }

  private void removeIfIdle(Line line) {
    lines.computeIfPresent(line, (key, state) -> state.isIdle() ? null : state);
  }

  private final class State {
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private int open;
    private long entered;
    private boolean lettingGo;
    private @Nullable Hold hold;

    synchronized State open() {
      open++;
      return this;
    }

    synchronized Turn enter(Line line, String clientMessageId) {
      Turn turn = new Turn(this, line, clientMessageId, ++entered);
      waiting.addLast(turn);
      return turn;
    }

    /** By one thread at a time, without the lock: what is let go may end here at once. */
    void letGo() {
      synchronized (this) {
        if (lettingGo) {
          return;
        }
        lettingGo = true;
      }
      for (Runnable next = next(); next != null; next = next()) {
        next.run();
      }
    }

    private synchronized @Nullable Runnable next() {
      Turn turn = waiting.peekFirst();
      Consumer<Outcome.@Nullable Refused> action = turn == null ? null : turn.action;
      if (turn == null || action == null) {
        lettingGo = false;
        return null;
      }
      waiting.removeFirst();
      Hold before = hold;
      if (before == null || before.letsGo(turn, isHolding())) {
        hold = null;
        return () -> action.accept(null);
      }
      turn.behind = true;
      long millis = Math.max((before.until - nanoTime.getAsLong()) / 1_000_000, 0) + 1;
      return () -> action.accept(Refusals.behind(before.refusal, millis));
    }

    /** True if the line is held from now on. */
    synchronized boolean end(Turn turn, Outcome outcome) {
      open--;
      if (!turn.behind
          && !isHolding()
          && outcome instanceof Outcome.Refused refused
          && refused.code().temporary()) {
        hold = new Hold(turn.clientMessageId, refused, entered, nanoTime.getAsLong() + HOLD_NANOS);
        return true;
      }
      return false;
    }

    synchronized boolean isHolding() {
      return hold != null && hold.until - nanoTime.getAsLong() > 0;
    }

    synchronized boolean isIdle() {
      return open == 0 && !isHolding();
    }
  }

  /**
   * @param entered how many had taken a place when the command was refused: they are behind it,
   *     however long it takes until they are ready
   */
  private record Hold(String clientMessageId, Outcome.Refused refusal, long entered, long until) {

    /** The command itself has come again, or nobody waits for it any more. */
    boolean letsGo(Turn turn, boolean stillHolding) {
      return clientMessageId.equals(turn.clientMessageId)
          || (turn.number > entered && !stillHolding);
    }
  }

  /** One command's place. */
  final class Turn {
    private final State state;
    private final Line line;
    private final String clientMessageId;
    private final long number;
    private volatile @Nullable Consumer<Outcome.@Nullable Refused> action;
    private boolean behind;

    private Turn(State state, Line line, String clientMessageId, long number) {
      this.state = state;
      this.line = line;
      this.clientMessageId = clientMessageId;
      this.number = number;
    }

    /**
     * Ready to go on: {@code action} runs once everybody in front has gone, now or later. It is
     * handed null, or the refusal with which the command has to stay behind.
     */
    void ready(Consumer<Outcome.@Nullable Refused> action) {
      this.action = action;
      state.letGo();
    }

    /** The command has its outcome. Called once, after the action has run. */
    void end(Outcome outcome) {
      if (state.end(this, outcome)) {
        held.add(line);
      } else {
        removeIfIdle(line);
      }
    }
  }
}
