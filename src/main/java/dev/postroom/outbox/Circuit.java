package dev.postroom.outbox;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many lanes may be handed to one sink at once.
 *
 * <p>Closed: up to the bound. Opens when the sink cannot be reached several times in a row, when it
 * fails for several lanes without one success in between, or when it asks for a pause. Half open: a
 * single probe, whose failure counts against no lane. After a probe that succeeded the number
 * begins at one and doubles every second: a sink that has just come back is not run over by all
 * that waited for it.
 *
 * <p>Pure: times in nanoseconds in, numbers out. Confined to one thread.
 */
final class Circuit {
  private static final int UNREACHABLE = 5;
  private static final int ANSWERED = 10;
  private static final int LANES = 3;
  private static final Duration BASE = Duration.ofSeconds(1);
  private static final long DOUBLING_NANOS = Duration.ofSeconds(1).toNanos();

  private final int bound;
  private final Duration cap;
  private final Backoff backoff;
  private final Set<Long> failingLanes = new HashSet<>();
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

  void succeeded(long now) {
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

  /**
   * The sink failed.
   *
   * @return whether the lane may be charged with it: not if the sink as a whole is to blame
   */
  boolean failed(long lane, boolean answered, @Nullable Duration pause, long now) {
    if (state != State.CLOSED) {
      if (state == State.HALF_OPEN) {
        open(pause, now);
      }
      return false;
    }
    failures++;
    unreachable = answered ? 0 : unreachable + 1;
    if (failingLanes.size() < LANES) {
      failingLanes.add(lane);
    }
    if (pause != null
        || unreachable >= UNREACHABLE
        || (failures >= ANSWERED && failingLanes.size() >= LANES)) {
      open(pause, now);
      return false;
    }
    return answered;
  }

  /** The probe came to no result of the sink's; another may go. */
  void undecided() {
    probing = false;
  }

  private void open(@Nullable Duration pause, long now) {
    openings++;
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

  /** As operators know it. */
  enum State {
    CLOSED,
    HALF_OPEN,
    OPEN
  }
}
