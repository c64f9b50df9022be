package dev.postroom.db;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database is there, as of the last probe (S3).
 *
 * <p>A probe is one small query on a connection kept for it. It runs every two seconds while the
 * database is present, at once after a failure somewhere, and every half second while it is away; a
 * probe without an answer within two seconds has failed. Safe for any thread.
 */
// Not proxied: calls that end while the service stops still report here.
@Singleton
public class Availability {
  private static final Logger LOG = Logger.getLogger(Availability.class);
  private static final Duration WHILE_PRESENT = Duration.ofSeconds(2);
  private static final Duration WHILE_AWAY = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Pool pool;
  private final Vertx vertx;
  private final AtomicBoolean probing = new AtomicBoolean();
  private volatile Runnable whileAway = () -> {};
  private volatile boolean away;
  private volatile boolean probed;
  private volatile boolean stopped;
  private volatile @Nullable SqlConnection kept;
  private volatile long timer = -1;

  @Inject
  public Availability(Pool pool, Vertx vertx) {
    this.pool = pool;
    this.vertx = vertx;
  }

  public boolean isAway() {
    return away;
  }

  /** Whether a probe has found it; before the first one nobody knows. */
  public boolean isPresent() {
    return probed && !away;
  }

  /** Runs after every probe that found the database away. */
  void whileAway(Runnable action) {
    whileAway = action;
  }

  /** Something failed that may mean the database is away: look now. */
  public void suspect() {
    if (!stopped && probing.compareAndSet(false, true)) {
      vertx.cancelTimer(timer);
      boolean used = kept != null;
      probe()
          // One connection may have ended by itself; a new one tells.
          .recover(failure -> used ? probe() : Future.failedFuture(failure))
          .onComplete(answer -> settle(answer.cause()));
    }
  }

  void start(@Observes StartupEvent event) {
    suspect();
  }

  /** No further probe. */
  @PreDestroy
  public void stop() {
    stopped = true;
    vertx.cancelTimer(timer);
    SqlConnection connection = kept;
    if (connection != null) {
      connection.close();
    }
  }

  private Future<Void> probe() {
    Promise<Void> answer = Promise.promise();
    long patience =
        vertx.setTimer(
            PATIENCE.toMillis(),
            fired -> {
              // A connection that does not answer is not asked again; it goes back when it ends.
              kept = null;
              answer.tryFail(new DeadlinePassed(PATIENCE, true));
            });
    SqlConnection present = kept;
    Future<SqlConnection> connection =
        present != null ? Future.succeededFuture(present) : pool.getConnection();
    connection.onFailure(answer::tryFail).onSuccess(got -> ask(got, answer));
    return answer.future().onComplete(done -> vertx.cancelTimer(patience));
  }

  private void ask(SqlConnection connection, Promise<Void> answer) {
    connection
        .exceptionHandler(Connections::reported)
        .query("SELECT 1")
        .execute()
        .onComplete(
            done -> {
              boolean inTime =
                  done.succeeded() ? answer.tryComplete() : answer.tryFail(done.cause());
              if (inTime && done.succeeded()) {
                kept = connection;
              } else {
                kept = null;
                connection.close();
              }
            });
  }

  private void settle(@Nullable Throwable failure) {
    if (stopped) {
      return;
    }
    if (failure == null && away) {
      LOG.info("the database is back");
    } else if (failure != null && !away) {
      LOG.warnf("the database is away: %s", failure.getMessage());
    }
    away = failure != null;
    probed = true;
    if (away) {
      whileAway.run();
    }
    Duration pause = away ? WHILE_AWAY : WHILE_PRESENT;
    timer = vertx.setTimer(pause.toMillis(), fired -> suspect());
    probing.set(false);
  }
}
