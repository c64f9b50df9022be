package dev.postroom.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.boot.StartRefused;
import dev.postroom.testkit.DataTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an end left behind, the next start is on all of the data, or says why not. */
class EmbeddedDatabaseStartTest {

  private Path data;

  @BeforeEach
  void copyTheTemplate() {
    data = DataTemplate.copy();
  }

  @AfterEach
  void removeTheCopy() {
    DataTemplate.remove(data);
  }

  @Test
  void stopsAndComesBackWithItsData() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(data)) {
      RunningDatabase.text(database, "CREATE TABLE t AS SELECT 'kept' AS t");
    }
    assertFalse(postmaster().isPresent());
    try (EmbeddedDatabase database = EmbeddedDatabase.start(data)) {
      assertEquals("kept", RunningDatabase.text(database, "SELECT t FROM t"));
    }
  }

  @Test
  @DisplayName("S3: a killed server is started again on its port")
  void startsAKilledServerAgain() throws SQLException {
    try (EmbeddedDatabase database = EmbeddedDatabase.start(data)) {
      RunningDatabase.text(database, "CREATE TABLE t AS SELECT 'kept' AS t");
      postmaster().orElseThrow().destroyForcibly();
      Awaitility.await()
          .ignoreExceptions()
          .untilAsserted(
              () -> assertEquals("kept", RunningDatabase.text(database, "SELECT t FROM t")));
    }
  }

  @Test
  void stopsTheServerThatAKilledProcessLeft() throws Exception {
    Path cluster = data.resolve("cluster");
    Cluster left;
    try (DataDirectory claimed = DataDirectory.claim(data)) {
      Binaries binaries = Binaries.in(claimed.path(), Platform.current());
      left = new Cluster(claimed.path(), binaries, Launcher.in(claimed));
      left.start(Cluster.ANY_PORT);
    }
    ProcessHandle before = Postmaster.of(cluster, data).orElseThrow().process();
    try (EmbeddedDatabase database = EmbeddedDatabase.start(data)) {
      assertFalse(before.info().command().isPresent());
      assertEquals("1", RunningDatabase.text(database, "SELECT 1"));
    }
  }

  @Test
  void leavesAProcessAloneThatGotTheNumberOfADeadServer() throws Exception {
    Process stranger = new ProcessBuilder("sleep", "600").start();
    try {
      Files.writeString(
          data.resolve("cluster").resolve("postmaster.pid"),
          stranger.pid() + "\n" + data.resolve("cluster") + "\n1\n5432\n\n127.0.0.1\n");
      try (EmbeddedDatabase database = EmbeddedDatabase.start(data)) {
        assertEquals("1", RunningDatabase.text(database, "SELECT 1"));
      }
      assertTrue(stranger.isAlive());
    } finally {
      stranger.destroyForcibly();
    }
  }

  @ParameterizedTest(name = "postmaster.pid: \"{0}\"")
  @ValueSource(strings = {"", "12", "x\ny\nz\nw\n"})
  void isNotStoppedByATornFile(String content) throws Exception {
    Files.writeString(data.resolve("cluster").resolve("postmaster.pid"), content);
    try (EmbeddedDatabase database = EmbeddedDatabase.start(data)) {
      assertEquals("1", RunningDatabase.text(database, "SELECT 1"));
    }
  }

  @Test
  void beginsAgainWhereCreationWasKilled() throws Exception {
    Files.move(data.resolve("cluster"), data.resolve("creating-1"));
    Files.delete(data.resolve("creating-1").resolve("PG_VERSION"));
    Files.createDirectory(data.resolve("unpacking-1"));
    try (EmbeddedDatabase database = EmbeddedDatabase.start(data)) {
      assertEquals("1", RunningDatabase.text(database, "SELECT 1"));
    }
    assertFalse(Files.exists(data.resolve("creating-1")));
  }

  @Test
  void refusesTheClusterOfAnotherMajorVersion() throws IOException {
    Files.writeString(data.resolve("cluster").resolve("PG_VERSION"), "16\n");
    assertRefused("was made by PostgreSQL 16, this build carries 17");
  }

  @Test
  void refusesADirectoryThatIsNoCluster() throws IOException {
    Files.delete(data.resolve("cluster").resolve("PG_VERSION"));
    assertRefused("is not a PostgreSQL cluster");
  }

  @Test
  void refusesAClusterWhosePasswordIsGone() throws IOException {
    Files.delete(data.resolve("password"));
    assertRefused("with the database's password is missing");
  }

  @Test
  void saysWhyTheServerDoesNotStart() throws IOException {
    Files.writeString(data.resolve("cluster").resolve("postgresql.conf"), "no_such = 1\n");
    assertRefused("PostgreSQL did not start: configuration file");
  }

  private void assertRefused(String reason) {
    StartRefused refused =
        assertThrows(StartRefused.class, () -> EmbeddedDatabase.start(data).close());
    assertTrue(refused.getMessage().contains(reason), refused.getMessage());
    assertEquals(1, refused.getMessage().lines().count());
    DataDirectory.claim(data).close();
  }

  private Optional<ProcessHandle> postmaster() {
    try {
      return Postmaster.of(data.resolve("cluster"), data).map(Postmaster::process);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
