package dev.postroom.testkit;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * The packaged service as a process of its own, which a test may stop, freeze, kill and start
 * again, always on the same port, data and settings.
 *
 * <pre>{@code
 * try (PostroomProcess postroom = PostroomProcess.embedded().start()) {   // a fresh data directory
 *   postroom.uri("/api/rooms");
 *   postroom.kill9();
 *   postroom.start();
 * }
 * PostroomProcess.on(database).env("POSTROOM_ACCEPT_LANES", "8").start();  // a PostgreSQL of yours
 * }</pre>
 *
 * <p>Runs the jar that the build names in the system property {@code postroom.jar}: use it in
 * {@code *IT} tests.
 */
public final class PostroomProcess implements AutoCloseable {

  private static final Duration READY_LIMIT = Duration.ofSeconds(90);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  /** Most processes here live for seconds: without the second compiler they start in half of it. */
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1";

  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  private final List<String> prefix = new ArrayList<>();
  private final List<String> jvm = new ArrayList<>(List.of(QUICK_START));
  private final Map<String, String> environment = new HashMap<>();
  private final List<Path> disposable = new ArrayList<>();
  private Path data;
  private Path output;
  private Path errors;
  private String jar =
      requireNonNull(System.getProperty("postroom.jar"), "run by failsafe: mvn verify");
  private int port = TestPostgres.freePort();
  private Process process;

  private PostroomProcess() {}

  /** With the embedded database on a fresh data directory, which {@link #close} removes. */
  public static PostroomProcess embedded() {
    Path data = DataTemplate.copy();
    PostroomProcess postroom = embedded(data);
    postroom.disposable.add(data);
    return postroom;
  }

  /** With the embedded database on this directory, which stays. */
  public static PostroomProcess embedded(Path data) {
    PostroomProcess postroom = new PostroomProcess();
    postroom.data = data;
    return postroom.env("POSTROOM_DATA", data.toString());
  }

  /** On this database; its owner is {@link EmbeddedPg#USER}. */
  public static PostroomProcess on(EmbeddedPg.Database database) {
    return new PostroomProcess()
        .env("QUARKUS_DATASOURCE_REACTIVE_URL", database.reactiveUrl())
        .env("QUARKUS_DATASOURCE_USERNAME", EmbeddedPg.USER)
        .env("QUARKUS_DATASOURCE_PASSWORD", EmbeddedPg.PASSWORD);
  }

  /**
   * Without a bound on the rate, and with none that matters on what a member that comes back is
   * told: else one that was away while a thousand messages were accepted is rightly shown a
   * snapshot (R1), which a test of views would have to know.
   */
  public PostroomProcess unbounded() {
    return env("POSTROOM_ACCEPT_RATE", "0").env("POSTROOM_SESSION_DELTA_MESSAGES", "1000000");
  }

  /**
   * Adds a variable; the test's own QUARKUS_, POSTROOM_ and MP_JWT_ variables are not inherited.
   */
  public PostroomProcess env(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Adds an argument for the JVM, such as -Xmx256m. */
  public PostroomProcess jvm(String argument) {
    jvm.add(argument);
    return this;
  }

  /** With no arguments for the JVM but those added from here on: as a person starts it. */
  public PostroomProcess plainJvm() {
    jvm.clear();
    return this;
  }

  /** Puts a program in front of java, such as setpriv. */
  public PostroomProcess prefix(String... command) {
    prefix.addAll(List.of(command));
    return this;
  }

  /** Instead of the jar that was built. */
  public PostroomProcess jar(Path copy) {
    jar = copy.toString();
    return this;
  }

  /** Instead of a free port of its own choice. */
  public PostroomProcess port(int chosen) {
    port = chosen;
    return this;
  }

  /** Starts it, and returns when it is ready to serve. */
  public PostroomProcess start() {
    launch();
    awaitReady();
    return this;
  }

  /** Starts it and returns at once. */
  public PostroomProcess launch() {
    try {
      Path work = Files.createDirectories(Path.of("target", "testkit").toAbsolutePath());
      output = Files.createTempFile(work, "postroom-", ".out");
      errors = Files.createTempFile(work, "postroom-", ".err");
      disposable.add(output);
      disposable.add(errors);
      ProcessBuilder builder = new ProcessBuilder(command());
      builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
      Map<String, String> inherited = builder.environment();
      inherited.keySet().removeIf(name -> name.matches("(QUARKUS|POSTROOM|MP_JWT)_.*"));
      inherited.put("QUARKUS_HTTP_PORT", Integer.toString(port));
      inherited.putAll(environment);
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.addAll(List.of("-jar", jar));
    return command;
  }

  /** Returns when readiness is green; fails at once when the process ends instead. */
  public void awaitReady() {
    Awaitility.await("ready")
        .atMost(READY_LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .failFast(this::failIfEnded)
        .until(() -> status("/q/health/ready") == 200);
  }

  private void failIfEnded() {
    if (!process.isAlive()) {
      throw new AssertionError("it ended instead: " + errors() + output());
    }
  }

  /** The status of a GET, or -1 where nothing answers. */
  public int status(String path) {
    HttpRequest request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(5)).build();
    try {
      return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  public int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  public boolean alive() {
    return process != null && process.isAlive();
  }

  /** Where the embedded database's data is; null on a database of one's own. */
  public Path data() {
    return data;
  }

  /** What the latest run wrote to its standard output. */
  public String output() {
    return read(output);
  }

  /** What it said to a person: its output without the log's lines, which begin with a date. */
  public List<String> announced() {
    return output().lines().filter(line -> !line.matches("\\d{4}-\\d\\d-\\d\\d .*")).toList();
  }

  /** What the latest run wrote to its error output. */
  public String errors() {
    return read(errors);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGTERM, as an operator does; returns the exit code. */
  public int stop() {
    process.destroy();
    return awaitExit();
  }

  /** SIGINT, as Ctrl-C does; returns the exit code. */
  public int interrupt() {
    Signals.send("INT", process.pid());
    return awaitExit();
  }

  /** Waits for it to end by itself; returns the exit code. */
  public int awaitExit() {
    try {
      if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("still running: " + output() + errors());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** SIGKILL to the JVM alone; its embedded database is left running. */
  public void kill9() {
    process.destroyForcibly();
    awaitExit();
  }

  /** SIGSTOP: connections stay open and nothing answers. */
  public void pause() {
    Signals.send("STOP", process.pid());
  }

  public void resume() {
    Signals.send("CONT", process.pid());
  }

  /** Kills it if it still runs, its embedded database too, and removes what was its own. */
  @Override
  public void close() {
    if (alive()) {
      kill9();
    }
    if (data != null) {
      LeftServer.kill(data);
    }
    disposable.forEach(DataTemplate::remove);
  }
}
