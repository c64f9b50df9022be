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
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Whether the database is there and takes writes, as of the last probe (S3).
 *
 * <p>A probe is one small query on a connection kept for it, a new one after a server that turned
 * out to be read-only. It runs every two seconds while the database is present, at once after a
 * failure somewhere, and every half second while it is away or read-only; a probe without an answer
 * within two seconds has failed. Safe for any thread.
 */
// Not proxied: calls that end while the service stops still report here.
@Singleton
public class Availability {
  private static final Logger LOG = Logger.getLogger(Availability.class);
  private static final Duration WHILE_PRESENT = Duration.ofSeconds(2);
  private static final Duration WHILE_AWAY = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final String LOOK =
      "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean";

  private final Pool pool;
  private final Vertx vertx;
  private final FreshConnections fresh;
  private final AtomicBoolean probing = new AtomicBoolean();
  private volatile Runnable whileAway = () -> {};
  private volatile State state = State.UNKNOWN;
  private volatile boolean stopped;
  private final AtomicReference<@Nullable SqlConnection> kept = new AtomicReference<>();
  private volatile long timer = -1;

  @Inject
  public Availability(Pool pool, Vertx vertx, FreshConnections fresh) {
    this.pool = pool;
    this.vertx = vertx;
    this.fresh = fresh;
  }

  public boolean isAway() {
    return state == State.AWAY;
  }

  /** It answers, but takes no writes. */
  public boolean isReadOnly() {
    return state == State.READ_ONLY;
  }

  /** Whether a probe has found it, and writable; before the first one nobody knows. */
  public boolean isPresent() {
    return state == State.PRESENT;
  }

  /** Runs after every probe that found the database away. */
  void whileAway(Runnable action) {
    whileAway = action;
  }

  /** Something failed that may mean the database is away: look now. */
  public void suspect() {
    if (!stopped && probing.compareAndSet(false, true)) {
      vertx.cancelTimer(timer);
      boolean used = kept.get() != null;
      probe()
          // One connection may have ended by itself; a new one tells.
          .recover(failure -> used ? probe() : Future.failedFuture(failure))
          .onComplete(answer -> settle(answer.cause()));
    }
  }

  /** A write was refused: so it is until a probe says otherwise. */
  void readOnly() {
    if (state == State.PRESENT) {
      turn(State.READ_ONLY, "a write was refused");
    }
    suspect();
  }

  void start(@Observes StartupEvent event) {
    suspect();
  }

  /** No further probe. */
  @PreDestroy
  public void stop() {
    stopped = true;
    vertx.cancelTimer(timer);
    SqlConnection connection = kept.get();
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
              kept.set(null);
              answer.tryFail(new DeadlinePassed(PATIENCE, true));
            });
    SqlConnection present = kept.get();
    Future<SqlConnection> connection =
        present != null && !fresh.isOver(present)
            ? Future.succeededFuture(present)
            : fresh.from(pool);
    connection.onFailure(answer::tryFail).onSuccess(got -> ask(got, answer));
    return answer.future().onComplete(done -> vertx.cancelTimer(patience));
  }

  private void ask(SqlConnection connection, Promise<Void> answer) {
    connection
        .exceptionHandler(Connections::reported)
        .query(LOOK)
        .execute()
        .onComplete(
            done -> {
              // Let go first: the next probe may begin inside the answer.
              if (done.failed()) {
                kept.compareAndSet(connection, null);
                fresh.giveBack(connection, done.cause());
                answer.tryFail(done.cause());
              } else if (done.result().iterator().next().getBoolean(0)) {
                ReadOnly readOnly = new ReadOnly();
                kept.compareAndSet(connection, null);
                fresh.giveBack(connection, readOnly);
                answer.tryFail(readOnly);
              } else {
                keep(connection);
                answer.tryComplete();
              }
            });
  }

  /** The newest that answered, be it late. */
  private void keep(SqlConnection connection) {
    SqlConnection before = kept.getAndSet(connection);
    if (before != null && before != connection) {
      before.close();
    }
  }

  private void settle(@Nullable Throwable failure) {
    if (stopped) {
      return;
    }
    if (failure == null) {
      turn(State.PRESENT, "");
    } else {
      turn(
          Faults.isReadOnly(failure) ? State.READ_ONLY : State.AWAY,
          String.valueOf(failure.getMessage()));
    }
    if (state == State.AWAY) {
      whileAway.run();
    }
    Duration pause = state == State.PRESENT ? WHILE_PRESENT : WHILE_AWAY;
    timer = vertx.setTimer(pause.toMillis(), fired -> suspect());
    probing.set(false);
  }

  private void turn(State now, String why) {
    State before = state;
    state = now;
    if (now == before) {
      return;
    }
    switch (now) {
      case AWAY -> LOG.warnf("the database is away: %s", why);
      case READ_ONLY -> LOG.warnf("the database takes no writes: %s", why);
      default -> {
        if (before != State.UNKNOWN) {
          LOG.info("the database is back");
        }
      }
    }
  }

  private enum State {
    /** Not probed yet. */
    UNKNOWN,
    PRESENT,
    READ_ONLY,
    AWAY
  }
}
