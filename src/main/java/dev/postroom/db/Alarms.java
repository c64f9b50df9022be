package dev.postroom.db;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Failures of statements that only a mistake in this program explains. Safe for any thread. */
@Singleton
public class Alarms {
  private static final Logger LOG = Logger.getLogger(Alarms.class);
  private static final String IN_FAILED_TRANSACTION = "25P02";

  private final Counter aborted;

  public Alarms(MeterRegistry meters) {
    aborted =
        Counter.builder("postroom.database.aborted")
            .description("statements sent into a transaction that had failed")
            .register(meters);
  }

  /** Sounds if the failure is of this kind. */
  void look(Throwable failure) {
    if (IN_FAILED_TRANSACTION.equals(Faults.sqlState(failure))) {
      aborted.increment();
      // The server's words say nothing of what was sent.
      LOG.errorf(
          "a transaction was gone on with after it had failed (25P02), a mistake in this program: %s",
          failure.getMessage());
    }
  }
}
