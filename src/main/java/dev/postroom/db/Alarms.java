package dev.postroom.db;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Failures of statements that somebody has to do something about: a mistake in this program, and a
 * server that has run out of what it needs. Of the latter one line a minute and SQLSTATE, since
 * every command meets it. Safe for any thread.
 */
@Singleton
public class Alarms {
  private static final Logger LOG = Logger.getLogger(Alarms.class);
  private static final String IN_FAILED_TRANSACTION = "25P02";

  private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final Counter aborted;
  private final Map<String, Long> said = new ConcurrentHashMap<>();

  public Alarms(MeterRegistry meters) {
    aborted =
        Counter.builder("postroom.database.aborted")
            .description("statements sent into a transaction that had failed")
            .register(meters);
  }

  /** Sounds if the failure is of this kind. */
  void look(Throwable failure) {
    Throwable origin = Faults.origin(failure);
    String state = Faults.sqlState(origin);
    if (state != null && Faults.isExhausted(failure) && mayBeSaid(state)) {
      LOG.warnf(
          "the database has run out of something (SQLSTATE %s): %s. %s Until then commands are"
              + " answered unavailable.",
          state, origin.getMessage(), remedy(state));
    }
    if (IN_FAILED_TRANSACTION.equals(state)) {
      aborted.increment();
      // The server's words say nothing of what was sent.
      LOG.errorf(
          "a transaction was gone on with after it had failed (25P02), a mistake in this program: %s",
          failure.getMessage());
    }
  }

  private boolean mayBeSaid(String state) {
    long now = System.nanoTime();
    // The map's own lock decides between those who come at once.
    return said.compute(
            state, (key, last) -> last == null || now - last >= AGAIN_NANOS ? (Long) now : last)
        == now;
  }

  private static String remedy(String state) {
    return switch (state) {
      case "53100" -> "Free space on the disk of the database, its WAL's too, or give it more.";
      case "53200" -> "Give the database's machine memory, or lower its memory settings.";
      case "53300" ->
          "Raise its max_connections, or lower quarkus.datasource.reactive.max-size of the nodes.";
      default -> "See its log for which limit it was, and raise it.";
    };
  }
}
