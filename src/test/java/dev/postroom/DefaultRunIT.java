package dev.postroom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postroom.testkit.DataTemplate;
import dev.postroom.testkit.LeftServer;
import dev.postroom.testkit.PostroomProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One command runs it: the packaged service with the PostgreSQL that it brings along. */
class DefaultRunIT {

  @TempDir Path temp;

  @Test
  void saysWhatToOpenAndCtrlCStopsBoth() {
    try (PostroomProcess postroom = PostroomProcess.embedded().start()) {
      Awaitility.await().until(() -> postroom.output().contains("Stop: Ctrl-C"));
      assertEquals(
          List.of(
              "Postroom is ready: open http://127.0.0.1:" + postroom.port() + "/",
              "Data: " + postroom.data() + " (embedded PostgreSQL)",
              "Stop: Ctrl-C"),
          postroom.announced());
      assertEquals(130, postroom.interrupt());
      assertEquals("", postroom.errors());
      assertFalse(LeftServer.of(postroom.data()).isPresent());
      assertTrue(log(postroom.data()).contains("database system is shut down"));
    }
  }

  @Test
  void makesItsKeyForSecretsAndRefusesOneOfTheWrongLength() throws IOException {
    try (PostroomProcess postroom = PostroomProcess.embedded().start();
        PostroomProcess refused =
            PostroomProcess.embedded().env("POSTROOM_SECRETS_KEY", "c2hvcnQ=")) {
      assertEquals(44, Files.size(postroom.data().resolve("secrets.key")));
      assertRefused(refused, "postroom.secrets.key must be base64 of 32 bytes");
      assertFalse(Files.exists(refused.data().resolve("secrets.key")));
      postroom.stop();
    }
  }

  @Test
  void afterAKillTheNextStartHasAllData() throws SQLException {
    try (PostroomProcess postroom = PostroomProcess.embedded().start()) {
      execute(postroom.data(), "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n");
      ProcessHandle left = LeftServer.of(postroom.data()).orElseThrow();
      postroom.kill9();
      assertTrue(left.isAlive());
      postroom.start();
      assertNotEquals(left.pid(), LeftServer.of(postroom.data()).orElseThrow().pid());
      assertEquals(1000, execute(postroom.data(), "SELECT count(*) FROM kept"));
    }
  }

  @Test
  void afterAKillDuringCreationTheNextStartBeginsAgain() {
    Path data = temp.resolve("fresh");
    try (PostroomProcess postroom = PostroomProcess.embedded(data)) {
      postroom.launch();
      Awaitility.await().until(() -> contains(data, "creating-"));
      postroom.kill9();
      postroom.start();
      assertEquals(200, postroom.status("/q/health/ready"));
      postroom.stop();
    }
  }

  @Test
  void aSecondInstanceOnTheDirectoryAndATakenPortAreRefusedInOneLine() {
    try (PostroomProcess first = PostroomProcess.embedded().start();
        PostroomProcess sameDirectory = PostroomProcess.embedded(first.data());
        PostroomProcess samePort = PostroomProcess.embedded().port(first.port())) {
      assertRefused(sameDirectory, "in use by another Postroom (process " + first.pid() + ")");
      assertRefused(samePort, "Cannot listen on 127.0.0.1:" + first.port());
      assertFalse(LeftServer.of(samePort.data()).isPresent());
      assertEquals(200, first.status("/q/health/ready"));
      first.stop();
    }
  }

  @Test
  void runsForAnOrdinaryUserAndRefusesADirectoryThatTheyCannotWrite() throws IOException {
    assumeTrue(root(), "the whole suite runs for an ordinary user already");
    Path app = temp.resolve("app");
    DataTemplate.copyTree(Path.of(System.getProperty("postroom.jar")).getParent(), app);
    Path data = Files.createDirectory(temp.resolve("data"));
    Files.setAttribute(data, "unix:uid", 65534);
    Path others = Files.createDirectory(temp.resolve("others"));
    open(temp);
    try (PostroomProcess postroom = asNobody(PostroomProcess.embedded(data), app);
        PostroomProcess refused = asNobody(PostroomProcess.embedded(others), app)) {
      postroom.start();
      assertEquals(65534, Files.getAttribute(data.resolve("cluster"), "unix:uid"));
      assertEquals(143, postroom.stop());
      assertRefused(refused, "Cannot write to the data directory " + others);
    }
  }

  private static PostroomProcess asNobody(PostroomProcess postroom, Path app) {
    return postroom
        .jar(app.resolve("quarkus-run.jar"))
        .prefix("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--");
  }

  @Test
  void runsForRootWhereNamespacesAreForbidden() throws IOException {
    assumeTrue(root(), "concerns root");
    Path stub = Files.writeString(temp.resolve("unshare"), "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(stub, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (PostroomProcess postroom = PostroomProcess.embedded()) {
      postroom.env("PATH", temp + ":" + System.getenv("PATH")).start();
      assertEquals(65534, Files.getAttribute(postroom.data().resolve("cluster"), "unix:uid"));
      // And back: the owner of the files follows.
      postroom.kill9();
      postroom.env("PATH", System.getenv("PATH")).start();
      assertEquals(0, Files.getAttribute(postroom.data().resolve("cluster"), "unix:uid"));
      postroom.stop();
    }
  }

  private static void assertRefused(PostroomProcess postroom, String reason) {
    assertEquals(1, postroom.launch().awaitExit());
    assertTrue(postroom.errors().contains(reason), postroom.errors());
    assertEquals(1, postroom.errors().lines().count(), postroom.errors());
    assertEquals("", postroom.output());
  }

  private static boolean root() {
    return "root".equals(System.getProperty("user.name"));
  }

  private static void open(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static boolean contains(Path directory, String prefix) throws IOException {
    if (!Files.exists(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith(prefix));
    }
  }

  private static String log(Path data) {
    return read(data.resolve("postgresql.log"));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).trim();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long execute(Path data, String sql) throws SQLException {
    String port = read(data.resolve("cluster").resolve("postmaster.pid")).lines().toList().get(3);
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    String password = read(data.resolve("password"));
    try (Connection connection = DriverManager.getConnection(url, "postroom", password);
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return 0;
      }
      try (ResultSet rows = statement.getResultSet()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }
}
