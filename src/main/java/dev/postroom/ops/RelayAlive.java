package dev.postroom.ops;

import dev.postroom.outbox.RelayStatus;
import io.smallrye.health.api.HealthGroup;
import jakarta.inject.Singleton;
import java.util.Locale;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/**
 * Red when events wait for a sink that could be called: then it is we who are stuck, not the sink.
 *
 * <p>In a group of its own, {@code /q/health/group/relay}: a node whose relay is stuck still serves
 * its clients, and a sink that is down is no reason to restart anybody.
 */
@HealthGroup("relay")
@Singleton
class RelayAlive implements HealthCheck {
  private final RelayStatus status;

  RelayAlive(RelayStatus status) {
    this.status = status;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder answer = HealthCheckResponse.named("relay");
    boolean up = true;
    for (RelayStatus.SinkStatus sink : status.sinks()) {
      up &= !sink.isStuck();
      answer.withData(
          sink.id(),
          "circuit %s, parked %d, oldest undelivered %d s"
              .formatted(
                  sink.circuit().toLowerCase(Locale.ROOT),
                  sink.lanes().getOrDefault("parked", 0L),
                  sink.undeliveredOldest().toSeconds()));
    }
    return answer.status(up).build();
  }
}
