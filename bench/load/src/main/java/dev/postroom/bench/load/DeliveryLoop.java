package dev.postroom.bench.load;

/**
 * One sender that waits for its audience: the next command is due when one of those under way has
 * reached every member. Faster would only fill queues.
 */
public final class DeliveryLoop {
  private volatile boolean stopped;

  private DeliveryLoop() {}

  /**
   * @param audience how many deliveries a command makes
   */
  public static DeliveryLoop start(Fleet fleet, Member sender, int audience, int inFlight) {
    DeliveryLoop running = new DeliveryLoop();
    long[] offered = new long[1];
    sender.window(inFlight);
    sender.later(
        () ->
            fleet
                .vertx()
                .setPeriodic(
                    1,
                    timer -> {
                      if (running.stopped) {
                        fleet.vertx().cancelTimer(timer);
                        return;
                      }
                      long arrived = fleet.tally().delivered() / audience;
                      while (offered[0] - arrived < inFlight) {
                        offered[0]++;
                        sender.offer(System.nanoTime());
                      }
                    }));
    return running;
  }

  public void stop() {
    stopped = true;
  }
}
