package dev.postroom.session;

import dev.postroom.access.UpgradeGate;
import dev.postroom.faults.FaultMode;
import io.quarkus.websockets.next.WebSocketConnection;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import jakarta.enterprise.context.ApplicationScoped;

/** Makes what stands between a socket and its session. Safe for any thread. */
@ApplicationScoped
class Connections {
  private final SessionConfig config;
  private final SessionMetrics metrics;
  private final Vertx vertx;
  private final FaultMode faults;

  Connections(SessionConfig config, SessionMetrics metrics, Vertx vertx, FaultMode faults) {
    this.config = config;
    this.metrics = metrics;
    this.vertx = vertx;
    this.faults = faults;
  }

  /** To be called on the connection's event loop. */
  Connection open(WebSocketConnection socket) {
    ContextInternal loop = ((ContextInternal) vertx.getOrCreateContext()).unwrap();
    return new Connection(
        socket,
        new Network(socket.userData().get(UpgradeGate.CONNECTION)),
        loop,
        config,
        metrics,
        faults);
  }

  /** Runs it again and again until the node stops. */
  void every(long ms, Runnable task) {
    vertx.setPeriodic(ms, id -> task.run());
  }
}
