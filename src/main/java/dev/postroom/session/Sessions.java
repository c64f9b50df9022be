package dev.postroom.session;

import dev.postroom.accept.Acceptor;
import dev.postroom.access.Principal;
import dev.postroom.access.TokenRejected;
import dev.postroom.access.Tokens;
import dev.postroom.protocol.ErrorCode;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.websockets.next.UserData.TypedKey;
import io.quarkus.websockets.next.WebSocketConnection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** All sockets of this node: admission, regular checks, the goodbye. Safe for any thread. */
@ApplicationScoped
public class Sessions {
  private static final Logger LOG = Logger.getLogger(Sessions.class);
  private static final TypedKey<Session> SESSION = new TypedKey<>("postroom.session");

  /** Clients of a stopping node come back spread over this time, in milliseconds. */
  private static final long RETURN_SPREAD_MS = 5_000;

  /** Between two slices of goodbyes. */
  private static final long SLICE_MS = 50;

  private final Set<Session> open = ConcurrentHashMap.newKeySet();
  private final Acceptor acceptor;
  private final Tokens tokens;
  private final RoomDoor door;
  private final SessionConfig config;
  private final SessionMetrics metrics;
  private final Connections connections;
  private volatile boolean draining;

  Sessions(
      Acceptor acceptor,
      Tokens tokens,
      RoomDoor door,
      SessionConfig config,
      SessionMetrics metrics,
      Connections connections) {
    this.acceptor = acceptor;
    this.tokens = tokens;
    this.door = door;
    this.config = config;
    this.metrics = metrics;
    this.connections = connections;
  }

  /**
   * Makes the session before this returns, since the first frame may be handled while the token is
   * still being verified. Called on the connection's event loop.
   */
  void opened(WebSocketConnection socket) {
    Connection connection = connections.open(socket);
    Identity identity = new Identity(tokens, Clock.systemUTC());
    JoinedRooms rooms = new JoinedRooms(connection, identity, door, config, metrics);
    Session session = new Session(connection, rooms, acceptor, identity, config, metrics);
    socket.userData().put(SESSION, session);
    open.add(session);
    if (metrics.opened() > config.maxSockets()) {
      connection.end(Ending.FULL);
    } else if (draining) {
      goodbye(session);
    } else {
      verify(session, identity, socket.handshakeRequest().header("Authorization"));
    }
  }

  private void verify(Session session, Identity identity, @Nullable String authorization) {
    tokens
        .verify(Tokens.bearer(authorization))
        .emitOn(session.connection()::onLoop)
        .subscribe()
        .with(
            principal -> welcome(session, identity, principal),
            failure -> turnAway(session, failure));
  }

  private static void welcome(Session session, Identity identity, Principal principal) {
    if (!session.connection().ended()) {
      identity.is(principal);
      session.welcome();
    }
  }

  private static void turnAway(Session session, Throwable failure) {
    Connection connection = session.connection();
    if (failure instanceof TokenRejected) {
      connection.put(
          Replies.error(ErrorCode.UNAUTHORIZED, String.valueOf(failure.getMessage()), null));
      connection.end(Ending.TOKEN);
    } else {
      LOG.warnf("A token could not be checked: %s", failure.getMessage());
      connection.end(Ending.UNCHECKED);
    }
  }

  @Nullable Session of(WebSocketConnection socket) {
    return socket.userData().get(SESSION);
  }

  void closed(WebSocketConnection socket) {
    Session session = of(socket);
    if (session != null && open.remove(session)) {
      session.connection().onLoop(session::closed);
    }
  }

  /** Those that are open now. */
  Set<Session> open() {
    return open;
  }

  void onStart(@Observes StartupEvent event) {
    Duration shortest =
        config.heartbeat().compareTo(config.progressTimeout()) < 0
            ? config.heartbeat()
            : config.progressTimeout();
    long everyMs = Math.min(Math.max(shortest.toMillis() / 5, 50), 5_000);
    connections.every(everyMs, this::checkAll);
    metrics.mailboxes(this::waitingBytes);
  }

  private long waitingBytes() {
    return open.stream().mapToLong(session -> session.connection().waitingBytes()).sum();
  }

  private void checkAll() {
    long now = System.nanoTime();
    for (Session session : open) {
      session.connection().onLoop(() -> session.check(now));
    }
  }

  /**
   * Says goodbye to everybody, slice by slice (S4), and returns when they have gone with their
   * answers, or are cut off because the bound is over. Blocks; whoever connects meanwhile is told
   * goodbye at once.
   */
  public void drain() {
    draining = true;
    List<Session> all = List.copyOf(open);
    long slices = Math.max(1, config.drain().toMillis() / SLICE_MS);
    int size = Math.max(1, (int) ((all.size() + slices - 1) / slices));
    for (int from = 0; from < all.size(); from += size) {
      all.subList(from, Math.min(from + size, all.size())).forEach(this::goodbye);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SLICE_MS));
    }
    long deadline = System.nanoTime() + config.drainWithin().toNanos();
    while (!open.isEmpty() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    for (Session late : open) {
      late.connection().onLoop(() -> late.connection().cut(Ending.RESTARTING));
    }
  }

  private void goodbye(Session session) {
    long withinMs = config.drainWithin().toMillis();
    long returnAfterMs = ThreadLocalRandom.current().nextLong(RETURN_SPREAD_MS);
    session.connection().onLoop(() -> session.drain(withinMs, returnAfterMs));
  }
}
