package dev.postroom.testkit;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long a client stays away after it could not connect: longer each time, up to a third of a
 * second, and never all at once. A client's own pace, no wait for a result. Confined to its thread.
 */
final class Pause {
  private static final int LONGEST_MS = 300;

  private int most = 20;

  void beforeRetry() throws InterruptedException {
    // Real time is the matter here: a server that is away gives no signal when it is back.
    TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(most / 2, most));
    most = Math.min(2 * most, LONGEST_MS);
  }

  /** It answered. */
  void over() {
    most = 20;
  }
}
