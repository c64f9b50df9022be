package dev.postroom.bench.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Offers commands at a fixed rate, whether or not earlier ones have been answered. Every command is
 * due at a tick of the schedule, which does not move: when the generator or the peer is late, that
 * is part of the command's latency, and none is left out (no coordinated omission).
 */
public final class OpenLoop {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private volatile boolean stopped;

  private OpenLoop() {}

  /**
   * Begins, the senders taking turns.
   *
   * @param perSecond commands of all senders together
   */
  public static OpenLoop start(Fleet fleet, List<Member> senders, double perSecond) {
    OpenLoop running = new OpenLoop();
    Map<Integer, List<Member>> byLoop = new HashMap<>();
    senders.forEach(
        sender -> byLoop.computeIfAbsent(sender.loop(), loop -> new ArrayList<>()).add(sender));
    byLoop
        .values()
        .forEach(
            group -> {
              double share = perSecond * group.size() / senders.size();
              group.get(0).later(() -> running.new Turns(group, share).begin(fleet));
            });
    return running;
  }

  public void stop() {
    stopped = true;
  }

  /** The senders of one event loop, and confined to it. */
  private final class Turns {
    private final List<Member> senders;
    private final double nanosEach;
    private final long start = System.nanoTime();
    private long offered;

    Turns(List<Member> senders, double perSecond) {
      this.senders = senders;
      this.nanosEach = 1e9 / perSecond;
    }

    void begin(Fleet fleet) {
      fleet.vertx().setPeriodic(1, timer -> tick(fleet, timer));
    }

    private void tick(Fleet fleet, long timer) {
      if (stopped) {
        fleet.vertx().cancelTimer(timer);
        return;
      }
      long now = System.nanoTime();
      for (long due = due(offered); due <= now; due = due(offered)) {
        senders.get((int) (offered % senders.size())).offer(due);
        offered++;
      }
    }

    private long due(long number) {
      return start + dueAfter(number, nanosEach);
    }
  }

  /** At which tick a command is due, nanoseconds after the start: never before its exact time. */
  static long dueAfter(long number, double nanosEach) {
    return (long) Math.ceil(number * nanosEach / TICK_NANOS) * TICK_NANOS;
  }
}
