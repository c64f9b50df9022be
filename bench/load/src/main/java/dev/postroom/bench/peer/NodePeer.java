package dev.postroom.bench.peer;

import dev.postroom.bench.Peer;
import dev.postroom.bench.Started;
import dev.postroom.bench.Wire;
import dev.postroom.bench.host.Database;
import dev.postroom.bench.host.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A peer on Node, in bench/peers under its name: its server.js says what it is and with which
 * settings. One process, of which Node uses one processor and a little.
 */
public final class NodePeer implements Peer {
  private static final Pattern VERSION =
      Pattern.compile("\"([a-z.-]+)\": \"(\\d+\\.\\d+\\.\\d+)\"");

  private final String name;
  private final Wire wire;

  NodePeer(String name, Wire wire) {
    this.name = name;
    this.wire = wire;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Started start(Database database, Path bench) throws IOException, InterruptedException {
    ServerProcess process = start(name, database, bench);
    return new Started(process, process.awaitReadyLine(), wire, versions(name, bench));
  }

  /** Starts what is in bench/peers under this name. */
  public static ServerProcess start(String name, Database database, Path bench) throws IOException {
    Path directory = bench.resolve("peers").resolve(name);
    if (!Files.exists(directory.resolve("node_modules"))) {
      throw new IllegalStateException("no node_modules in " + directory + ": npm ci there first");
    }
    Map<String, String> environment =
        Map.of("DATABASE_URL", database.url(), "PORT", "0", "NODE_ENV", "production");
    Path logs = bench.resolve("load/target/logs");
    return ServerProcess.start(name, logs, directory, environment, List.of("node", "server.js"));
  }

  /** The packages that it is made of, by its package.json. */
  public static Map<String, String> versions(String name, Path bench) throws IOException {
    Path described = bench.resolve("peers").resolve(name).resolve("package.json");
    Map<String, String> versions = new LinkedHashMap<>();
    Matcher matcher = VERSION.matcher(Files.readString(described));
    while (matcher.find()) {
      versions.put(matcher.group(1), matcher.group(2));
    }
    return versions;
  }
}
