package dev.postroom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.PostroomProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Migrations stand a kill at any point, and several nodes that start at once. */
class MigrationIT {

  private static final String WAITING =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE datname = current_database() AND wait_event_type = 'Lock'";

  private static final String OTHERS =
      "SELECT count(*) FROM pg_stat_activity"
          + " WHERE datname = current_database() AND pid <> pg_backend_pid()";

  @Test
  void aStartKilledInTheMiddleIsFinishedByTheNext() throws SQLException {
    EmbeddedPg.Database database = EmbeddedPg.emptyDatabase();
    try (PostroomProcess postroom = PostroomProcess.on(database);
        Connection blocker = database.connect();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      // The migration comes to its table of this name, and waits.
      statement.execute("CREATE TABLE outbox (n int)");
      postroom.launch();
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> database.number(WAITING) == 1);
      postroom.kill9();
      // The session of the dead ends, though the lock that it waits for is still held.
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> database.number(OTHERS) == 1);
      blocker.rollback();
      postroom.start();
      assertMigratedOnce(database);
      postroom.stop();
    }
  }

  @Test
  void severalNodesStartAtOnceOnAnEmptyDatabase() {
    EmbeddedPg.Database database = EmbeddedPg.emptyDatabase();
    try (PostroomProcess one = PostroomProcess.on(database);
        PostroomProcess two = PostroomProcess.on(database);
        PostroomProcess three = PostroomProcess.on(database)) {
      // As in a container, which has it whatever database it uses.
      one.env("POSTROOM_DATA", "/var/lib/postroom");
      Stream.of(one, two, three).forEach(PostroomProcess::launch);
      Stream.of(one, two, three).forEach(PostroomProcess::awaitReady);
      assertMigratedOnce(database);
      Awaitility.await().until(() -> one.announced().size() == 3);
      assertEquals(
          "Data: PostgreSQL at 127.0.0.1:" + database.port() + "/" + database.name(),
          one.announced().get(1));
    }
  }

  private static void assertMigratedOnce(EmbeddedPg.Database database) {
    assertEquals(
        migrations(), database.number("SELECT count(*) FROM flyway_schema_history WHERE success"));
    assertEquals(
        0, database.number("SELECT count(*) FROM flyway_schema_history WHERE NOT success"));
  }

  private static long migrations() {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/db/migration"))) {
      return files.count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
