package dev.postroom.outbox;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jboss.logging.Logger;

/**
 * Takes away, slice by slice, what deleted sinks left behind. Passes do not overlap on one node.
 */
@ApplicationScoped
class SinkSweep {
  private static final Logger LOG = Logger.getLogger(SinkSweep.class);

  private final Sinks sinks;

  SinkSweep(Sinks sinks) {
    this.sinks = sinks;
  }

  @Scheduled(
      identity = "sink-sweep",
      every = "15s",
      delayed = "15s",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> pass() {
    return sinks
        .sweepDeleted()
        .repeat()
        .whilst(touched -> touched > 0)
        .collect()
        .last()
        .replaceWithVoid()
        .onFailure()
        .recoverWithItem(
            failure -> {
              LOG.debugf("Deleted sinks were not swept: %s", failure.getMessage());
              return null;
            });
  }
}
