package dev.postroom.boot;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import org.eclipse.microprofile.config.Config;
import org.postgresql.Driver;

/** Looks at the configured PostgreSQL once before the service starts, and says what is wrong. */
public final class ExternalDatabase {

  /** The setting that names it; with it unset, the embedded database is used. */
  public static final String URL = ReactiveUrl.PROPERTY;

  private static final int OLDEST = 15;
  private static final String SECONDS = "10";

  private ExternalDatabase() {}

  /**
   * Returns when the database answers and is fit for use.
   *
   * @throws StartRefused when it is not
   */
  public static void check(Config config) {
    String written = config.getValue(ReactiveUrl.PROPERTY, String.class);
    ReactiveUrl address = ReactiveUrl.parse(written);
    if (config
        .getOptionalValue("quarkus.datasource.credentials-provider", String.class)
        .isPresent()) {
      // Only Quarkus can ask it; Flyway's connection is then the first.
      return;
    }
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", SECONDS);
    properties.setProperty("socketTimeout", SECONDS);
    properties.setProperty("loginTimeout", SECONDS);
    properties.setProperty("ApplicationName", "postroom start");
    copy(config, "username", properties, "user");
    copy(config, "password", properties, "password");
    String jdbc = config.getValue(JdbcUrlSource.PROPERTY, String.class);
    try (Connection connection = new Driver().connect(jdbc, properties)) {
      if (connection == null) {
        throw new StartRefused(
            "quarkus.datasource.jdbc.url is not the address of a PostgreSQL: take it out, it"
                + " follows from QUARKUS_DATASOURCE_REACTIVE_URL.");
      }
      check(address, connection);
    } catch (SQLException e) {
      throw new StartRefused(DatabaseFault.explain(address.toString(), e), e);
    }
  }

  private static void copy(Config config, String from, Properties properties, String to) {
    Optional<String> value = config.getOptionalValue("quarkus.datasource." + from, String.class);
    value.ifPresent(text -> properties.setProperty(to, text));
  }

  private static void check(ReactiveUrl address, Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < OLDEST) {
      throw new StartRefused(
          "The database at "
              + address
              + " is PostgreSQL "
              + version
              + ", and Postroom needs "
              + OLDEST
              + " or newer: upgrade it, or set QUARKUS_DATASOURCE_REACTIVE_URL to a newer"
              + " one.");
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_is_in_recovery()")) {
      if (row.next() && row.getBoolean(1)) {
        throw new StartRefused(
            "The database at "
                + address
                + " is a standby that cannot be written to: set"
                + " QUARKUS_DATASOURCE_REACTIVE_URL to the primary.");
      }
    }
  }
}
