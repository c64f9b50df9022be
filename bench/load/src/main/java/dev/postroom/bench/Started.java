package dev.postroom.bench;

import dev.postroom.bench.host.ServerProcess;
import java.util.Map;

/**
 * A peer that runs.
 *
 * @param port on loopback, where it takes WebSockets
 * @param settings what is worth knowing about how it runs: versions, flags, bounds. Kept with the
 *     results
 */
public record Started(ServerProcess process, int port, Wire wire, Map<String, String> settings)
    implements AutoCloseable {

  @Override
  public void close() {
    process.close();
  }
}
