package dev.postroom.bench.peer;

import dev.postroom.bench.Peer;
import dev.postroom.bench.Started;
import dev.postroom.bench.host.Database;
import dev.postroom.bench.host.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Postroom: the packaged jar on an external database, all bounds at their defaults but the rate per
 * participant, which is off: a benchmark's sender is faster than a person.
 */
public final class PostroomPeer implements Peer {
  private static final String NAME = "postroom";

  /** As in Dockerfile.jvm, without the archive of classes, which only makes the start shorter. */
  private static final List<String> FLAGS =
      List.of("-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError");

  private static final Map<String, String> BOUNDS =
      Map.of(
          "postroom.accept.rate", "0",
          "postroom.accept.lanes", "4 (default)",
          "postroom.accept.batch-commands", "256 (default)",
          "postroom.session.pending-commands", "64 (default)",
          "postroom.session.max-sockets", "20000 (default)",
          "postroom.session.mailbox-frames", "256 (default)",
          "postroom.session.delta-messages", "1000 (default)",
          "quarkus.datasource.reactive.max-size", "20 (default)");

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Started start(Database database, Path bench) throws IOException, InterruptedException {
    return start(database, bench, Map.of());
  }

  /**
   * Starts it with settings that only some scenarios need.
   *
   * @param more environment variables
   */
  public static Started start(Database database, Path bench, Map<String, String> more)
      throws IOException, InterruptedException {
    int port = Ports.free();
    Map<String, String> environment = new LinkedHashMap<>();
    environment.put("QUARKUS_HTTP_PORT", Integer.toString(port));
    environment.put(
        "QUARKUS_DATASOURCE_REACTIVE_URL",
        "postgresql://127.0.0.1:" + database.port() + "/" + database.name());
    environment.put("QUARKUS_DATASOURCE_USERNAME", Database.USER);
    environment.put("QUARKUS_DATASOURCE_PASSWORD", Database.PASSWORD);
    environment.put("POSTROOM_ACCEPT_RATE", "0");
    environment.putAll(more);
    // For a profiler, for instance: -XX:StartFlightRecording=filename=…
    List<String> flags = new ArrayList<>(FLAGS);
    String extra = System.getenv("BENCH_POSTROOM_JVM");
    if (extra != null && !extra.isBlank()) {
      flags.addAll(List.of(extra.split(" ")));
    }
    Path jar = bench.resolveSibling("target/quarkus-app/quarkus-run.jar");
    if (!Files.exists(jar)) {
      throw new IllegalStateException("no " + jar + ": build the product first");
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-jar", jar.toString()));
    Path logs = bench.resolve("load/target/logs");
    ServerProcess process = ServerProcess.start(NAME, logs, bench, environment, command);
    process.await(() -> ready(port));
    Map<String, String> settings = new LinkedHashMap<>(BOUNDS);
    settings.putAll(more);
    settings.put("jvm", String.join(" ", flags));
    return new Started(process, port, new PostroomWire(), settings);
  }

  private static boolean ready(int port) {
    URI health = URI.create("http://127.0.0.1:" + port + "/q/health/ready");
    try {
      return HTTP.send(HttpRequest.newBuilder(health).build(), BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
