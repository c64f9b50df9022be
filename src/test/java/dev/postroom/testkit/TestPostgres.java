package dev.postroom.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A real PostgreSQL of one test's own, which it may stop, freeze, kill and start again: always on
 * the same port and data, durable as in production. For tests that do not hurt the server, {@link
 * EmbeddedPg} is cheaper.
 *
 * <pre>{@code
 * try (TestPostgres postgres = TestPostgres.started()) {
 *   EmbeddedPg.Database database = postgres.database("rooms");
 *   postgres.pause();
 *   postgres.resume();
 *   postgres.kill9();
 *   postgres.start();
 * }
 * }</pre>
 */
public final class TestPostgres implements AutoCloseable {

  private final Path directory;
  private final Path programs;
  private final int port;
  private final List<String> settings = new ArrayList<>();

  private TestPostgres(Path directory, int port) {
    this.directory = directory;
    this.programs = programs(directory);
    this.port = port;
  }

  /** A new server, running. Its superuser is {@link EmbeddedPg#USER}. */
  public static TestPostgres started(String... settings) {
    TestPostgres postgres = new TestPostgres(DataTemplate.copy(), freePort());
    postgres.settings.addAll(List.of(settings));
    postgres.start();
    postgres.createUser();
    return postgres;
  }

  private static Path programs(Path directory) {
    try {
      return DataTemplate.programs(directory).resolve("bin");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A port that stays free while its server is away: below those that the system gives to clients.
   * A client that keeps on connecting to one of its own would sooner or later be connected to
   * itself, and hold it.
   */
  static int freePort() {
    for (int tries = 0; tries < 1_000; tries++) {
      int port = ThreadLocalRandom.current().nextInt(15_000, 32_000);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
        return socket.getLocalPort();
      } catch (IOException taken) {
        // The next one, then.
      }
    }
    throw new IllegalStateException("no free port");
  }

  private void createUser() {
    String password = read(directory.resolve("password"));
    try (Connection owner =
            DriverManager.getConnection(
                new EmbeddedPg.Database(port, "postgres").jdbcUrl(), "postroom", password);
        Statement statement = owner.createStatement()) {
      statement.execute(
          "CREATE ROLE %s SUPERUSER LOGIN PASSWORD '%s'"
              .formatted(EmbeddedPg.USER, EmbeddedPg.PASSWORD));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A new empty database of this server. */
  public EmbeddedPg.Database database(String name) {
    new EmbeddedPg.Database(port, "postgres").execute("CREATE DATABASE " + name);
    return new EmbeddedPg.Database(port, name);
  }

  public int port() {
    return port;
  }

  /**
   * Starts it again after {@link #stop}, {@link #stopImmediately} or {@link #kill9}; returns when
   * it answers.
   */
  public void start() {
    String options =
        "-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=on %s"
            .formatted(
                port, String.join(" ", settings.stream().map(each -> "-c " + each).toList()));
    String log = directory.resolve("test.log").toString();
    // The children of a killed server need a moment before another may use its memory.
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .pollDelay(Duration.ZERO)
        .until(() -> control("start", "-l", log, "-w", "-t", "60", "-o", options) == 0);
  }

  /** Stops it cleanly; sessions are cut. */
  public void stop() {
    control("stop", "-m", "fast", "-w", "-t", "60");
  }

  /** Stops it at once, without a checkpoint: the next start has to recover. */
  public void stopImmediately() {
    control("stop", "-m", "immediate", "-w", "-t", "60");
  }

  /** As a power cut: postmaster and sessions at once. */
  public void kill9() {
    List<Long> pids = processes();
    Signals.send("KILL", pids);
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> pids.stream().noneMatch(pid -> alive(pid)));
  }

  /** Freezes the postmaster and every session: connections stay open and nothing answers. */
  public void pause() {
    Signals.send("STOP", processes());
  }

  public void resume() {
    Signals.send("CONT", processes());
  }

  /** Whether it takes writes, also those of sessions that are open; returns when it is so. */
  public void readOnly(boolean on) {
    String wanted = on ? "on" : "off";
    try (Connection open = new EmbeddedPg.Database(port, "postgres").connect();
        Statement statement = open.createStatement()) {
      statement.execute("ALTER SYSTEM SET default_transaction_read_only = " + wanted);
      statement.execute("SELECT pg_reload_conf()");
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                try (var rows = statement.executeQuery("SHOW transaction_read_only")) {
                  return rows.next() && wanted.equals(rows.getString(1));
                }
              });
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The postmaster first: each of its children makes a process group of its own. */
  private List<Long> processes() {
    Path file = directory.resolve("cluster").resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return List.of();
    }
    long pid = Long.parseLong(read(file).lines().findFirst().orElseThrow());
    return ProcessHandle.of(pid).stream()
        .flatMap(postmaster -> Stream.concat(Stream.of(postmaster), postmaster.descendants()))
        .map(ProcessHandle::pid)
        .toList();
  }

  private static boolean alive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private int control(String action, String... arguments) {
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("unshare", "-U", "--"));
    }
    command.add(programs.resolve("pg_ctl").toString());
    command.addAll(List.of(action, "-D", directory.resolve("cluster").toString()));
    command.addAll(List.of(arguments));
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(
          ProcessBuilder.Redirect.appendTo(directory.resolve("pg_ctl.log").toFile()));
      return builder.start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).trim();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    resume();
    kill9();
    DataTemplate.remove(directory);
  }
}
