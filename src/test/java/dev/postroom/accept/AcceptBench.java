package dev.postroom.accept;

import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/**
 * Accepts a second through the combiner, without sockets: {@code main(rooms, window, seconds)}.
 * Prints figures; asserts nothing.
 */
final class AcceptBench {

  private AcceptBench() {}

  public static void main(String[] args) throws InterruptedException {
    int rooms = Integer.parseInt(args[0]);
    int window = Integer.parseInt(args[1]);
    int seconds = Integer.parseInt(args[2]);
    String lanes = args.length > 3 ? args[3] : "4";
    try (Accepting accepting = new Accepting(Map.of("postroom.accept.lanes", lanes))) {
      accepting.database.execute(
          "INSERT INTO room (id, nonce) SELECT 'r' || n, n FROM generate_series(0, "
              + (rooms - 1)
              + ") n");
      for (int round = 0; round < 3; round++) {
        run(accepting, rooms, window, seconds, round);
      }
    }
    System.exit(0);
  }

  private static void run(Accepting accepting, int rooms, int window, int seconds, int round)
      throws InterruptedException {
    Semaphore free = new Semaphore(window);
    LongAdder accepted = new LongAdder();
    LongAdder others = new LongAdder();
    long batches = accepting.metrics.batchSize().count();
    double commands = accepting.metrics.batchSize().totalAmount();
    long start = System.nanoTime();
    long sent = 0;
    while (System.nanoTime() - start < seconds * 1_000_000_000L) {
      free.acquire();
      String who = "p" + sent % 200;
      Submission submission =
          Accepting.submission(
              who,
              "r" + sent % rooms,
              round + "-" + sent,
              "a message of some thirty bytes " + sent);
      sent++;
      accepting.combiner.submit(
          new Command(
              submission,
              false,
              outcome -> {
                (outcome instanceof Outcome.Accepted ? accepted : others).increment();
                free.release();
              }));
    }
    free.acquire(window);
    double elapsed = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "rooms=%d window=%d lanes=%d: %.0f accepted/s, %d other, mean batch %.1f%n",
        rooms,
        window,
        accepting.config.lanes(),
        accepted.sum() / elapsed,
        others.sum(),
        (accepting.metrics.batchSize().totalAmount() - commands)
            / (accepting.metrics.batchSize().count() - batches));
    accepting.announced.clear();
  }
}
