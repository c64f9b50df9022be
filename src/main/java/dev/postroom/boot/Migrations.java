package dev.postroom.boot;

import io.quarkus.flyway.FlywayConfigurationCustomizer;
import jakarta.inject.Singleton;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * What Flyway needs so that a start may be killed at any point, and several nodes may start at
 * once. The rest is the work of PostgreSQL: a migration and its record are one transaction, and one
 * advisory lock lets one node migrate at a time.
 */
@Singleton
final class Migrations implements FlywayConfigurationCustomizer {

  /** A second each: how long a node waits for another that is migrating. */
  private static final int LOCK_ATTEMPTS = 600;

  /**
   * A killed node's session may be waiting for a lock, and would hold its own until it gets that
   * one; this way the server notices within a second. Not every platform of the server can.
   */
  private static final String NOTICE_A_DEAD_CLIENT =
      "DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '1s', false);"
          + " EXCEPTION WHEN OTHERS THEN NULL; END $$";

  @Override
  public void customize(FluentConfiguration configuration) {
    configuration.lockRetryCount(LOCK_ATTEMPTS).initSql(NOTICE_A_DEAD_CLIENT);
  }
}
