package dev.postroom.bench.load;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Cuts each client's TCP connection again and again; one after the other, spread over the pause.
 */
public final class Cutter {
  private final LongAdder cuts = new LongAdder();
  private volatile boolean stopped;

  private Cutter() {}

  /**
   * @param everyMillis between two cuts of one client
   * @param awayMillis how long it then stays away
   */
  public static Cutter start(Fleet fleet, List<Member> members, long everyMillis, long awayMillis) {
    Cutter running = new Cutter();
    for (int i = 0; i < members.size(); i++) {
      Member member = members.get(i);
      long first = 1 + everyMillis * i / members.size();
      member.later(
          () ->
              fleet
                  .vertx()
                  .setPeriodic(
                      first,
                      everyMillis,
                      timer -> {
                        if (running.stopped) {
                          fleet.vertx().cancelTimer(timer);
                        } else if (member.cut()) {
                          running.cuts.increment();
                          member.comeBackAfter(awayMillis);
                        }
                      }));
    }
    return running;
  }

  public void stop() {
    stopped = true;
  }

  public long cuts() {
    return cuts.sum();
  }
}
