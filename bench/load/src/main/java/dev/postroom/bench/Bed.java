package dev.postroom.bench;

import dev.postroom.bench.host.Database;
import dev.postroom.bench.host.Postgres;
import java.nio.file.Path;

/**
 * What one run is made on.
 *
 * @param database fresh and empty; dropped after the run
 */
public record Bed(Options options, Postgres postgres, Database database) {

  /** The directory bench/ of the project. */
  public Path bench() {
    return options.bench();
  }
}
