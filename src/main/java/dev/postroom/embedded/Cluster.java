package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
  private static final String LOG = "postgresql.log";
  private static final long LOG_BYTES = 10L << 20;
  private static final Pattern COMPLAINT = Pattern.compile("(?:FATAL|PANIC|ERROR|error): +(.*)");
  private static final Pattern VERSION = Pattern.compile("PostgreSQL\\)? (\\d+)");

  /** After a crash the log is replayed first, which may take its time. */
  private static final Duration START_LIMIT = Duration.ofMinutes(10);

  private static final Duration INIT_LIMIT = Duration.ofMinutes(5);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final Duration ORPHANS_LIMIT = Duration.ofSeconds(30);
  private static final Duration ORPHANS_PAUSE = Duration.ofMillis(200);
  private static final int PORT_ATTEMPTS = 10;

  private final DataDirectory directory;
  private final Binaries binaries;
  private final Launcher launcher;
  private final Path data;
  private final Path log;

  Cluster(DataDirectory directory, Binaries binaries, Launcher launcher) {
    this.directory = directory;
    this.binaries = binaries;
    this.launcher = launcher;
    this.data = directory.path().resolve(DIRECTORY);
    this.log = directory.path().resolve(LOG);
  }

  boolean exists() {
    return Files.exists(data);
  }

  /** Creates the cluster, all of it or nothing: it gets its name when it is whole. */
  void create(Password password) throws IOException, InterruptedException {
    Leftovers.remove(directory.path(), PASSING);
    Path passing = Files.createTempDirectory(directory.path(), PASSING);
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
              + directory.path()
              + ": "
              + complaint(init.output())
              + ". Free the way, or set "
              + DataDirectory.VARIABLE
              + " to another directory.");
    }
    Files.move(passing, data, StandardCopyOption.ATOMIC_MOVE);
    force(directory.path());
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
              + complaint(said)
              + ". Allow programs to run from there, or set "
              + DataDirectory.VARIABLE
              + " to a directory where they may.");
    }
    return matcher.group(1);
  }

  /** Starts the server on a free port of the loopback interface; a left one is stopped first. */
  Postmaster start() throws IOException, InterruptedException {
    stop();
    Postmaster.forget(data);
    rotateLog();
    long orphansUntil = System.nanoTime() + ORPHANS_LIMIT.toNanos();
    int attempts = 0;
    while (true) {
      long before = Files.exists(log) ? Files.size(log) : 0;
      Launcher.Finished started = launcher.run(START_LIMIT, startCommand(freePort()));
      Optional<Postmaster> postmaster = Postmaster.of(data, directory.path());
      if (started.succeeded() && postmaster.isPresent()) {
        return postmaster.get();
      }
      String said = logFrom(before);
      boolean portTaken = said.contains("Address already in use") && ++attempts < PORT_ATTEMPTS;
      // The children of a killed server end by themselves, but not at once.
      boolean orphans =
          said.contains("pre-existing shared memory block") && System.nanoTime() < orphansUntil;
      if (!portTaken && !orphans) {
        throw new StartRefused(
            "PostgreSQL did not start: "
                + complaint(said.isEmpty() ? started.output() : said)
                + ". Its log "
                + log
                + " has the details.");
      }
      TimeUnit.MILLISECONDS.sleep(ORPHANS_PAUSE.toMillis());
    }
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
    Optional<Postmaster> running = Postmaster.of(data, directory.path());
    if (running.isEmpty()) {
      return;
    }
    // Immediate is as safe as a power cut, and then only the next start is slower.
    if (!stop("fast") && !stop("immediate")) {
      running.get().process().destroyForcibly();
      running.get().process().onExit().join();
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

  private void rotateLog() throws IOException {
    if (Files.exists(log) && Files.size(log) > LOG_BYTES) {
      Files.move(log, log.resolveSibling(LOG + ".1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private String logFrom(long position) throws IOException {
    if (!Files.exists(log)) {
      return "";
    }
    byte[] all = Files.readAllBytes(log);
    int from = (int) Math.min(position, all.length);
    return new String(all, from, all.length - from, StandardCharsets.UTF_8);
  }

  /** The line that says why, without its time and process; the last line where none does. */
  static String complaint(String output) {
    String last = "it said nothing";
    for (String line : output.lines().toList()) {
      Matcher found = COMPLAINT.matcher(line);
      if (found.find()) {
        return found.group(1).trim();
      }
      last = line.isBlank() ? last : line.trim();
    }
    return last;
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
