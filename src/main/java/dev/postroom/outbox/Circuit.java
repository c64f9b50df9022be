package dev.postroom.outbox;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many lanes may be handed to one sink at once, and who is to blame for a failure.
 *
 * <p>Closed: up to the bound. Opens when the sink cannot be reached several times in a row, when it
 * was reached and failed for several lanes without one success in between, or when it asks for a
 * pause. Half open: a single probe, whose failure counts against no lane. After a probe that
 * succeeded the number begins at one and doubles every second: a sink that has just come back is
 * not run over by all that waited for it.
 *
 * <p>A lane that failed while others went through, and that twice, fails by itself. Until it
 * succeeds its failures say nothing about the sink: they neither open the circuit nor end a probe,
 * however quiet the others are. So does a lane that asked for a pause, if another went through
 * after it: its next asking is for itself. Which lanes these are is forgotten with the node.
 *
 * <p>Pure: times in nanoseconds in, numbers out. Confined to one thread.
 */
final class Circuit {
  private static final int UNREACHABLE = 5;
  private static final int REACHED = 10;
  private static final int LANES = 3;

  /** Twice: a success may be one that had been under way when the sink went down. */
  private static final int STRIKES = 2;

  /** Lanes of which that is remembered; of more the oldest count as any other. */
  private static final int REMEMBERED = 1_000;

  private static final Duration BASE = Duration.ofSeconds(1);
  private static final long DOUBLING_NANOS = Duration.ofSeconds(1).toNanos();

  private final int bound;
  private final Duration cap;
  private final Backoff backoff;

  /** Since the last success; no more than {@link #REACHED}. */
  private final Set<Long> failingLanes = new HashSet<>();

  /** How often lanes that have not succeeded since failed while others went through. */
  private final Map<Long, Integer> strikes = new LinkedHashMap<>();

  /** Whose asking for a pause opened it; null when something else did. */
  private @Nullable Long asker;

  private int unreachable;
  private int failures;
  private int openings;
  private State state = State.CLOSED;
  private long since;

  /** Only while open: until when. */
  private long until;

  private boolean probing;
  private boolean slow;

  Circuit(int bound, Duration cap, Backoff backoff) {
    this.bound = bound;
    this.cap = cap;
    this.backoff = backoff;
  }

  /** How many lanes may be under way now. */
  int limit(long now) {
    if (state == State.OPEN && now - until >= 0) {
      state = State.HALF_OPEN;
      probing = false;
    }
    return switch (state) {
      case OPEN -> 0;
      case HALF_OPEN -> probing ? 0 : 1;
      case CLOSED -> slow ? slowly(now) : bound;
    };
  }

  State state(long now) {
    limit(now);
    return state;
  }

  /** When {@link #limit} may grow by itself, in nanoseconds from now; null if not by time. */
  @Nullable Long nextChange(long now) {
    if (state == State.OPEN) {
      return Math.max(until - now, 0);
    }
    return state == State.CLOSED && slow ? DOUBLING_NANOS - (now - since) % DOUBLING_NANOS : null;
  }

  /** A lane is under way. In a half-open circuit it is the probe. */
  void begun() {
    probing = state == State.HALF_OPEN;
  }

  void succeeded(long lane, long now) {
    // A probe goes through when the sink is back: the failures before were not the lanes'.
    if (state == State.CLOSED) {
      failingLanes.forEach(failing -> strike(failing, 1));
    } else if (state == State.HALF_OPEN && asker != null) {
      strike(asker, STRIKES);
    }
    strikes.remove(lane);
    failingLanes.clear();
    unreachable = 0;
    failures = 0;
    openings = 0;
    // What was sent before it opened says nothing about now.
    if (state == State.HALF_OPEN) {
      state = State.CLOSED;
      slow = true;
      since = now;
    }
  }

  private void strike(long lane, int times) {
    strikes.merge(lane, times, Integer::sum);
    if (strikes.size() > REMEMBERED) {
      strikes.remove(strikes.keySet().iterator().next());
    }
  }

  /**
   * The sink failed.
   *
   * @param reached whether it was connected to and the event sent: what comes before that does not
   *     depend on the event
   * @param pause for which it asks, or null
   */
  Blame failed(long lane, boolean reached, @Nullable Duration pause, long now) {
    boolean byItself = reached && strikes.getOrDefault(lane, 0) >= STRIKES;
    if (state != State.CLOSED) {
      if (byItself) {
        probing = false;
        return Blame.UNKNOWN;
      }
      if (state == State.HALF_OPEN) {
        open(lane, pause, now);
      }
      return Blame.SINK;
    }
    if (byItself) {
      return Blame.LANE;
    }
    failures++;
    unreachable = reached ? 0 : unreachable + 1;
    if (reached) {
      failingLanes.add(lane);
    }
    if (pause != null
        || unreachable >= UNREACHABLE
        || (failures >= REACHED && failingLanes.size() >= LANES)) {
      open(lane, pause, now);
      return Blame.SINK;
    }
    return reached ? Blame.LANE : Blame.SINK;
  }

  /** The probe came to no result of the sink's; another may go. */
  void undecided() {
    probing = false;
  }

  private void open(long lane, @Nullable Duration pause, long now) {
    openings++;
    asker = pause == null ? null : Long.valueOf(lane);
    Duration wait = backoff.jittered(BASE, cap, openings);
    state = State.OPEN;
    until = now + (pause != null && pause.compareTo(wait) > 0 ? pause : wait).toNanos();
    probing = false;
    slow = true;
  }

  private int slowly(long now) {
    long doublings = Math.min((now - since) / DOUBLING_NANOS, 30);
    long allowed = 1L << doublings;
    if (allowed >= bound) {
      slow = false;
      return bound;
    }
    return (int) allowed;
  }

  /** Against whom a failure counts. */
  enum Blame {
    /** The lane is charged with it. */
    LANE,
    /** Nobody else: the lane waits for the circuit. */
    SINK,
    /** The lane fails by itself, but now the sink may be down as well: it waits, uncharged. */
    UNKNOWN
  }

  /** As operators know it. */
  enum State {
    CLOSED,
    HALF_OPEN,
    OPEN
  }
}
