package dev.postroom.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.db.Availability;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
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
}
