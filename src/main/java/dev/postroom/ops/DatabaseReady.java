package dev.postroom.ops;

import dev.postroom.db.Availability;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Red until the database was found, and while it is away or takes no writes; green again by itself
 * (S3).
 *
 * <p>Answers from the last probe, so asking costs nothing and never waits. Readiness only: a node
 * that cannot reach its database is not helped by being killed.
 */
@Readiness
@Singleton
class DatabaseReady implements HealthCheck {
  private final Availability availability;

  DatabaseReady(Availability availability) {
    this.availability = availability;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("database").status(availability.isPresent()).build();
  }
}
