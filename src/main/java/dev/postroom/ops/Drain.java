package dev.postroom.ops;

import dev.postroom.http.Intake;
import dev.postroom.outbox.Relay;
import dev.postroom.session.Sessions;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * The way out of a node that is told to stop (S4): not ready, no new sockets and no new commands,
 * goodbye to the clients slice by slice, and the end of what is in flight, deliveries to sinks
 * included; their leases are given back.
 *
 * <p>Runs on the stopping thread, and blocks it, while everything is still up: nothing else of the
 * service is stopped before it returns.
 */
@Readiness
@Singleton
class Drain implements HealthCheck {

  /** What was taken over HTTP before may need this long after the last socket has gone. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

  /** Told with a stack trace: a connection that comes while the listening socket is closed. */
  private static final Logger LATE = Logger.getLogger("io.netty.bootstrap.ServerBootstrap");

  private final Intake intake;
  private final Sessions sessions;
  private final Relay relay;
  private volatile boolean stopping;

  Drain(Intake intake, Sessions sessions, Relay relay) {
    this.intake = intake;
    this.sessions = sessions;
    this.relay = relay;
  }

  void onStop(@Observes ShutdownDelayInitiatedEvent event) {
    stopping = true;
    intake.close();
    relay.stopClaiming();
    sessions.drain();
    intake.awaitAnswered(LAST_ANSWERS);
    relay.awaitQuiet();
    LATE.setLevel(Level.SEVERE);
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("taking clients").status(!stopping).build();
  }
}
