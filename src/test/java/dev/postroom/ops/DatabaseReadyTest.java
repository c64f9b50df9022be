package dev.postroom.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.db.Availability;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import dev.postroom.testkit.TestPostgres;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DatabaseReadyTest {

  @Test
  @DisplayName("S3: not ready before the database was found, ready once it was")
  void beforeTheFirstProbe() {
    try (TestDb database = TestDb.over(EmbeddedPg.freshDatabase())) {
      Availability availability = database.availability();
      DatabaseReady ready = new DatabaseReady(availability);
      assertEquals(Status.DOWN, ready.call().getStatus());
      availability.suspect();
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> ready.call().getStatus() == Status.UP);
    }
  }

  @Test
  @DisplayName("S3, 25006: not ready while the database takes no writes, and ready again by itself")
  void readOnly() {
    try (TestPostgres postgres = TestPostgres.started()) {
      EmbeddedPg.Database rooms = postgres.database("rooms");
      Flyway.configure()
          .dataSource(rooms.jdbcUrl(), EmbeddedPg.USER, EmbeddedPg.PASSWORD)
          .load()
          .migrate();
      try (TestDb database = TestDb.over(rooms)) {
        DatabaseReady ready = new DatabaseReady(database.availability());
        database.availability().suspect();
        for (Status status : new Status[] {Status.UP, Status.DOWN, Status.UP}) {
          postgres.readOnly(status == Status.DOWN);
          Awaitility.await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> ready.call().getStatus() == status);
        }
      }
    }
  }
}
