package dev.postroom.crash;

import dev.postroom.testkit.PostroomProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Asks a service for its health all the time, and remembers how the answers changed. */
final class HealthWatch implements AutoCloseable {
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private final List<Future<?>> looks = new ArrayList<>();
  private final List<Integer> live = new CopyOnWriteArrayList<>();
  private final List<Integer> ready = new CopyOnWriteArrayList<>();

  HealthWatch(PostroomProcess postroom) {
    watch(postroom, "/q/health/live", live);
    watch(postroom, "/q/health/ready", ready);
  }

  private void watch(PostroomProcess postroom, String path, List<Integer> changes) {
    Runnable look =
        () -> {
          int status = postroom.status(path);
          if (!clock.isShutdown() && (changes.isEmpty() || last(changes) != status)) {
            changes.add(status);
          }
        };
    looks.add(clock.scheduleWithFixedDelay(look, 0, 100, TimeUnit.MILLISECONDS));
  }

  private static int last(List<Integer> changes) {
    return changes.get(changes.size() - 1);
  }

  /** Every status of liveness that differed from the one before. */
  List<Integer> live() {
    return live;
  }

  /** Every status of readiness that differed from the one before. */
  List<Integer> ready() {
    return ready;
  }

  @Override
  public void close() {
    looks.forEach(look -> look.cancel(true));
    clock.shutdownNow();
  }
}
