package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One PostgreSQL cluster in one claimed data directory: created, started, stopped. Whatever state a
 * killed process or a killed server left, {@link #start} ends in one running server on all of the
 * data, or in a {@link StartRefused}.
 *
 * <p>Confined to one thread at a time.
 */
final class Cluster {

  static final String OWNER = "postroom";
  static final String DATABASE = "postgres";

  private static final String DIRECTORY = "cluster";
  private static final String PASSING = "creating-";
  private static final Pattern VERSION = Pattern.compile("PostgreSQL\\)? (\\d+)");

  /** After a crash the log is replayed first, which may take its time. */
  private static final Duration START_LIMIT = Duration.ofMinutes(10);

  private static final Duration INIT_LIMIT = Duration.ofMinutes(5);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final Duration REMAINS_LIMIT = Duration.ofSeconds(30);
  private static final Duration REMAINS_PAUSE = Duration.ofMillis(200);
  static final int ANY_PORT = 0;
  private static final int PORT_ATTEMPTS = 10;

  private final Path directory;
  private final Binaries binaries;
  private final Launcher launcher;
  private final Path data;
  private final ServerLog log;

  Cluster(Path directory, Binaries binaries, Launcher launcher) {
    this.directory = directory;
    this.binaries = binaries;
    this.launcher = launcher;
    this.data = directory.resolve(DIRECTORY);
    this.log = new ServerLog(directory);
  }

  boolean exists() {
    return Files.exists(data);
  }

  /** Creates the cluster, all of it or nothing: it gets its name when it is whole. */
  void create(Password password) throws IOException, InterruptedException {
    Leftovers.remove(directory, PASSING);
    Path passing = Files.createTempDirectory(directory, PASSING);
    launcher.adopt(passing);
    Launcher.Finished init =
        launcher.run(
            INIT_LIMIT,
            List.of(
                binaries.program("initdb"),
                "--pgdata=" + passing,
                "--username=" + OWNER,
                "--pwfile=" + password.file(),
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8"));
    if (!init.succeeded()) {
      throw new StartRefused(
          "The database could not be created in "
              + directory
              + ": "
              + ServerLog.complaint(init.output())
              + ". Free the way, or set "
              + DataDirectory.VARIABLE
              + " to another directory.");
    }
    Files.move(passing, data, StandardCopyOption.ATOMIC_MOVE);
    force(directory);
  }

  /** Refuses a cluster that these programs cannot open. */
  void checkVersion() throws IOException, InterruptedException {
    Path file = data.resolve("PG_VERSION");
    if (!Files.exists(file)) {
      throw new StartRefused(
          data
              + " is not a PostgreSQL cluster: move it away, or set "
              + DataDirectory.VARIABLE
              + " to another directory.");
    }
    String theirs = Files.readString(file).trim();
    String ours = version();
    if (!theirs.equals(ours)) {
      throw new StartRefused(
          "The database in "
              + data
              + " was made by PostgreSQL "
              + theirs
              + ", this build carries "
              + ours
              + ": run the build that made it and move its data by pg_dump, or set "
              + DataDirectory.VARIABLE
              + " to another directory.");
    }
  }

  private String version() throws IOException, InterruptedException {
    List<String> command = List.of(binaries.program("postgres"), "--version");
    String said = launcher.run(STOP_LIMIT, command).output();
    Matcher matcher = VERSION.matcher(said);
    if (!matcher.find()) {
      throw new StartRefused(
          "PostgreSQL does not run from "
              + binaries.home()
              + ": "
              + ServerLog.complaint(said)
              + ". Allow programs to run from there, or set "
              + DataDirectory.VARIABLE
              + " to a directory where they may.");
    }
    return matcher.group(1);
  }

  /**
   * Starts the server on the loopback interface; one that was left running is stopped first.
   *
   * @param wanted the port, or {@link #ANY_PORT}
   */
  Postmaster start(int wanted) throws IOException, InterruptedException {
    launcher.adopt(data);
    log.rotate();
    launcher.adopt(log.create());
    long until = System.nanoTime() + REMAINS_LIMIT.toNanos();
    int attempts = 0;
    while (true) {
      stop();
      Postmaster.forget(data);
      long before = log.size();
      int port = wanted == ANY_PORT ? freePort() : wanted;
      Launcher.Finished started = launcher.run(START_LIMIT, startCommand(port));
      Optional<Postmaster> postmaster = Postmaster.of(data, directory);
      if (started.succeeded() && postmaster.isPresent()) {
        return postmaster.get();
      }
      String said = log.since(before);
      boolean again =
          remains(said)
              ? System.nanoTime() < until
              : wanted == ANY_PORT && portTaken(said) && ++attempts < PORT_ATTEMPTS;
      if (!again) {
        throw new StartRefused(
            "PostgreSQL did not start: "
                + ServerLog.complaint(said.isEmpty() ? started.output() : said)
                + ". Its log "
                + log
                + " has the details.");
      }
      TimeUnit.MILLISECONDS.sleep(REMAINS_PAUSE.toMillis());
    }
  }

  /** Whether a killed server's children, or one that was just being started, are in the way. */
  private static boolean remains(String said) {
    return said.contains("pre-existing shared memory block")
        || said.contains("lock file \"postmaster.pid\" already exists");
  }

  private static boolean portTaken(String said) {
    return said.contains("Address already in use");
  }

  private List<String> startCommand(int port) {
    List<String> settings = new ArrayList<>();
    settings.add("-p " + port);
    // Given here, they hold whatever postgresql.conf says.
    settings.add("-c listen_addresses=127.0.0.1");
    settings.add("-c unix_socket_directories=");
    settings.add("-c fsync=on");
    settings.add("-c synchronous_commit=on");
    settings.add("-c full_page_writes=on");
    settings.add("-c timezone=UTC");
    settings.add("-c log_timezone=UTC");
    return List.of(
        binaries.program("pg_ctl"),
        "start",
        "--pgdata=" + data,
        "--log=" + log,
        "--wait",
        "--timeout=" + START_LIMIT.toSeconds(),
        "--options=" + String.join(" ", settings));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  /** Stops the server if one runs; returns when it is gone. Data that was committed stays. */
  void stop() throws IOException, InterruptedException {
    Optional<Postmaster> running = Postmaster.of(data, directory);
    if (running.isEmpty()) {
      return;
    }
    // Immediate is as safe as a power cut, and then only the next start is slower.
    if (!stop("fast") && !stop("immediate")) {
      running.get().process().destroyForcibly();
      while (running.get().runs()) {
        TimeUnit.MILLISECONDS.sleep(REMAINS_PAUSE.toMillis());
      }
    }
  }

  private boolean stop(String mode) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            binaries.program("pg_ctl"),
            "stop",
            "--pgdata=" + data,
            "--mode=" + mode,
            "--wait",
            "--timeout=" + STOP_LIMIT.toSeconds());
    return launcher.run(STOP_LIMIT.plusSeconds(5), command).succeeded();
  }

  /** Makes a rename outlast a power cut, where directories can be synced. */
  private static void force(Path directory) {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Windows has no such call.
    }
  }
}
