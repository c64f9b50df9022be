package dev.postroom.testkit;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;

/** Gives a {@code @QuarkusTest} a fresh database of {@link EmbeddedPg}; Quarkus migrates it. */
public final class PgResource implements QuarkusTestResourceLifecycleManager {

  @Override
  public Map<String, String> start() {
    return settings(EmbeddedPg.emptyDatabase());
  }

  /** What makes the service use that database. */
  static Map<String, String> settings(EmbeddedPg.Database database) {
    Map<String, String> settings = new HashMap<>(database(database));
    settings.putAll(InboundSettings.all());
    return settings;
  }

  private static Map<String, String> database(EmbeddedPg.Database database) {
    return Map.of(
        "quarkus.datasource.reactive.url",
        database.reactiveUrl(),
        "quarkus.datasource.jdbc.url",
        database.jdbcUrl(),
        "quarkus.datasource.username",
        EmbeddedPg.USER,
        "quarkus.datasource.password",
        EmbeddedPg.PASSWORD,
        "quarkus.http.test-port",
        "0",
        // What Main takes from the data directory.
        "postroom.secrets.key",
        "A".repeat(43) + "=",
        // Where a WebhookTrap listens.
        "postroom.webhook.allow",
        "127.0.0.0/8");
  }

  @Override
  public void stop() {}
}
