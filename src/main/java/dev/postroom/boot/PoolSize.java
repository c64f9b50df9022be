package dev.postroom.boot;

import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/** Looks whether the service is given as many connections as it cannot do without. */
public final class PoolSize {
  private static final String MOST = "quarkus.datasource.reactive.max-size";

  /** One listens for the other nodes and one asks whether the database is there; two for work. */
  static final int LEAST = 4;

  private PoolSize() {}

  /**
   * Returns when they are enough.
   *
   * @throws StartRefused when they are not, or are no number
   */
  public static void check(Config config) {
    String value = config.getOptionalValue(MOST, String.class).orElse(Integer.toString(LEAST));
    try {
      if (Integer.parseInt(value.strip()) >= LEAST) {
        return;
      }
    } catch (NumberFormatException e) {
      throw refused(value, e);
    }
    throw refused(value, null);
  }

  private static StartRefused refused(String value, @Nullable NumberFormatException cause) {
    return new StartRefused(
        "QUARKUS_DATASOURCE_REACTIVE_MAX_SIZE is "
            + value
            + ", but the service needs at least "
            + LEAST
            + " connections: set it to that or more, or leave it out.",
        cause);
  }
}
