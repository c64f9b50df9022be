package dev.postroom.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.PostroomProcess;
import dev.postroom.testkit.TestPostgres;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S3: the database being away turns readiness red, never liveness, and it comes back by itself. */
class HealthIT {
  private static final String READY = "/q/health/ready";
  private static final String LIVE = "/q/health/live";
  private static final String STARTED = "/q/health/started";

  @Test
  @DisplayName("S3: a killed database, and its return")
  void killedDatabase() {
    try (TestPostgres postgres = TestPostgres.started();
        PostroomProcess postroom = PostroomProcess.on(postgres.database("kept")).start()) {
      assertEquals(200, postroom.status(STARTED));
      postgres.kill9();
      awaitReady(postroom, 503);
      assertEquals(200, postroom.status(LIVE));
      postgres.start();
      awaitReady(postroom, 200);
    }
  }

  @Test
  @DisplayName("S3: a database that is there and does not answer, and its return")
  void frozenDatabase() {
    try (TestPostgres postgres = TestPostgres.started();
        PostroomProcess postroom = PostroomProcess.on(postgres.database("kept")).start()) {
      postgres.pause();
      awaitReady(postroom, 503);
      assertEquals(200, postroom.status(LIVE));
      postgres.resume();
      awaitReady(postroom, 200);
    }
  }

  @Test
  @DisplayName("S3, 25006: a database that takes no writes for a while, as in a fail-over")
  void readOnlyDatabase() {
    try (TestPostgres postgres = TestPostgres.started();
        PostroomProcess postroom = PostroomProcess.on(postgres.database("kept")).start()) {
      postgres.readOnly(true);
      awaitReady(postroom, 503);
      assertEquals(200, postroom.status(LIVE));
      postgres.readOnly(false);
      awaitReady(postroom, 200);
    }
  }

  private static void awaitReady(PostroomProcess postroom, int status) {
    Awaitility.await("ready answers " + status)
        .atMost(Duration.ofSeconds(30))
        .until(() -> postroom.status(READY) == status);
  }
}
