package dev.postroom.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The process-level tools do what the crash tests rely on. */
class TestkitIT {

  @Test
  void aKilledServiceComesBackOnItsPortAndData() {
    try (PostroomProcess postroom = PostroomProcess.embedded().start()) {
      int port = postroom.port();
      postroom.kill9();
      postroom.start();
      assertEquals(200, postroom.status("/q/health/live"));
      assertEquals(port, postroom.port());
    }
  }

  @Test
  void aServerOfOnesOwnSurvivesFreezingAndKilling() {
    try (TestPostgres postgres = TestPostgres.started()) {
      EmbeddedPg.Database database = postgres.database("kept");
      database.execute("CREATE TABLE t AS SELECT 7 AS n");
      postgres.pause();
      postgres.resume();
      postgres.kill9();
      postgres.start();
      postgres.stop();
      postgres.start();
      assertEquals(7, database.number("SELECT n FROM t"));
    }
  }
}
