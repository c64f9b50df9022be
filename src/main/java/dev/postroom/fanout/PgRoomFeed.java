package dev.postroom.fanout;

import dev.postroom.db.Db;
import dev.postroom.room.RoomId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgNotification;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Hints by LISTEN and NOTIFY, never inside an accept transaction: commits of notifying transactions
 * queue on one lock of the whole server, so a node sends at most one notification an interval, by
 * itself.
 *
 * <p>One connection listens and does nothing else; every {@value #HEARTBEAT_MS} ms it notifies
 * itself, and only while these echoes come back do hints count as heard. So a connection pooler
 * that swallows LISTEN (N5, PG-04), a dead peer and a server restart (N4, PG-03) look the same: the
 * hub sweeps more often, and everything is looked at again when the echo is back. Safe for any
 * thread.
 */
@ApplicationScoped
class PgRoomFeed implements RoomFeed {
  private static final Logger LOG = Logger.getLogger(PgRoomFeed.class);
  private static final String CHANNEL = "postroom_rooms";
  private static final String NOTIFY = "SELECT pg_notify('" + CHANNEL + "', $1)";
  private static final int HEARTBEAT_MS = 2_000;
  private static final long DEAF_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(3L * HEARTBEAT_MS);

  private final Vertx vertx;
  private final Db db;
  private final long intervalMs;
  private final Counter sent;
  private final String node = UUID.randomUUID().toString().substring(0, 8);
  private final Hints hints = new Hints(node);
  private boolean flushing;
  private volatile long heardNanos;
  private volatile boolean hearing;
  private volatile boolean stopped;
  private volatile @Nullable SqlConnection listening;
  private volatile @Nullable Listener listener;

  PgRoomFeed(Vertx vertx, Db db, FanoutConfig config, MeterRegistry meters) {
    this.vertx = vertx;
    this.db = db;
    this.intervalMs = Math.max(config.hintInterval().toMillis(), 1);
    this.sent = meters.counter("postroom.fanout.hints.sent");
    meters.gauge("postroom.fanout.hearing", this, feed -> feed.hearing() ? 1 : 0);
  }

  @Override
  public void start(Listener listener) {
    this.listener = listener;
    connect();
    vertx.setPeriodic(HEARTBEAT_MS, this::beat);
  }

  @Override
  public void moved(RoomId room, long head) {
    synchronized (hints) {
      hints.moved(room, head);
    }
    flushSoon();
  }

  @Override
  public void closed(RoomId room, long no) {
    synchronized (hints) {
      hints.closed(room, no);
    }
    flushSoon();
  }

  @Override
  public void removed(RoomId room, long no, String participant, long rights) {
    synchronized (hints) {
      hints.removed(room, no, participant, rights);
    }
    flushSoon();
  }

  @Override
  public boolean hearing() {
    return hearing && System.nanoTime() - heardNanos < DEAF_AFTER_NANOS;
  }

  @Override
  public void stop() {
    stopped = true;
    SqlConnection connection = listening;
    if (connection != null) {
      connection.close();
    }
  }

  private void flushSoon() {
    synchronized (hints) {
      if (flushing || stopped) {
        return;
      }
      flushing = true;
    }
    vertx.setTimer(intervalMs, id -> flush());
  }

  /** A line that cannot be sent is dropped: the others sweep. */
  private void flush() {
    String line;
    synchronized (hints) {
      flushing = false;
      if (hints.isEmpty()) {
        return;
      }
      line = hints.take();
    }
    notifyAll(line).onSuccess(done -> sent.increment());
  }

  private Future<Void> notifyAll(String line) {
    return db.withConnection(
        Db.DEADLINE,
        connection -> connection.preparedQuery(NOTIFY).execute(Tuple.of(line)).mapEmpty());
  }

  private void connect() {
    if (stopped) {
      return;
    }
    db.session()
        .compose(this::listen)
        .onFailure(
            failure -> {
              LOG.debugf("Cannot listen for other nodes yet: %s", failure.getMessage());
              vertx.setTimer(HEARTBEAT_MS, id -> connect());
            });
  }

  private Future<Void> listen(SqlConnection connection) {
    PgConnection session = PgConnection.cast(connection);
    session.notificationHandler(this::heard);
    session.closeHandler(closed -> lost(connection));
    return connection
        .query("LISTEN " + CHANNEL)
        .execute()
        // Not before: whoever is lost while it is being set up is tried again by connect alone.
        .onSuccess(done -> listensNow(connection))
        .onFailure(failure -> connection.close())
        .compose(done -> notifyAll(node).otherwiseEmpty());
  }

  /** What others said between two listenings was heard by nobody, however short the pause. */
  private void listensNow(SqlConnection connection) {
    listening = connection;
    Listener told = listener;
    if (told != null) {
      told.missed();
    }
  }

  /** Closing only hands it to the pool, so nobody else would say that it is lost. */
  private void giveBack(SqlConnection connection) {
    connection.close();
    lost(connection);
  }

  private void lost(SqlConnection connection) {
    if (listening == connection) {
      listening = null;
      connect();
    }
  }

  /** Asks for an echo; a listening connection that has long been silent is replaced. */
  private void beat(long timer) {
    if (stopped) {
      vertx.cancelTimer(timer);
      return;
    }
    if (hearing && !hearing()) {
      hearing = false;
      LOG.warn("Hints of other nodes do not arrive; joined rooms are polled instead");
    }
    SqlConnection connection = listening;
    if (connection != null && !db.endIfOver(connection)) {
      connection
          .preparedQuery(NOTIFY)
          .execute(Tuple.of(node))
          .onFailure(failure -> giveBack(connection));
    }
  }

  private void heard(PgNotification notification) {
    Listener told = listener;
    if (!CHANNEL.equals(notification.getChannel()) || told == null) {
      return;
    }
    heardNanos = System.nanoTime();
    if (!hearing) {
      hearing = true;
      told.missed();
    }
    Hints.read(notification.getPayload(), node, told);
  }
}
