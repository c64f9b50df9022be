package dev.postroom.accept;

import dev.postroom.fanout.Hub;
import dev.postroom.outbox.Relay;
import io.quarkus.runtime.Startup;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Many commands, one transaction: spreads rooms over a few lanes and bounds what waits in them
 * (S1). Safe for any thread.
 */
@Startup // its meters are there from the first scrape on
@ApplicationScoped
class Combiner {
  private final List<Lane> lanes;
  private final int most;
  private final AtomicInteger queued = new AtomicInteger();

  @Inject
  Combiner(
      Ledger ledger,
      Hub hub,
      Relay relay,
      Vertx vertx,
      AcceptConfig config,
      AcceptMetrics metrics) {
    this(
        ledger,
        (room, messages) -> {
          hub.publish(room, messages);
          relay.nudge();
        },
        vertx,
        config,
        metrics);
  }

  Combiner(
      Ledger ledger,
      Lane.Announcement announcement,
      Vertx vertx,
      AcceptConfig config,
      AcceptMetrics metrics) {
    this.most = config.queueCommands();
    Lane.Bounds bounds =
        new Lane.Bounds(
            config.batchCommands(), config.batchBytes(), taken -> queued.addAndGet(-taken));
    this.lanes =
        IntStream.range(0, config.lanes())
            .mapToObj(
                n ->
                    new Lane(
                        ((VertxInternal) vertx).createEventLoopContext(),
                        new Attempt(ledger, vertx, config.deadline(), metrics),
                        announcement,
                        metrics,
                        bounds))
            .toList();
    metrics.watchQueue(queued);
  }

  /**
   * Takes the command at once or refuses it at once; it is told the rest. Commands of one room are
   * decided in the order of these calls.
   */
  void submit(Command command) {
    if (queued.incrementAndGet() > most) {
      queued.decrementAndGet();
      command.done(Refusals.full());
      return;
    }
    int hash = command.room().hashCode();
    lanes.get(Math.floorMod(hash ^ (hash >>> 16), lanes.size())).add(command);
  }
}
