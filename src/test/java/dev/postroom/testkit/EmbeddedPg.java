package dev.postroom.testkit;

import io.vertx.pgclient.PgConnectOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.flywaydb.core.Flyway;

/**
 * A real PostgreSQL for tests: one server for the whole JVM, durable as in production, its sessions
 * in a time zone where hours are not whole, and a fresh migrated database for whoever asks.
 */
public final class EmbeddedPg {
  public static final String USER = "postgres";
  public static final String PASSWORD = "postgres";

  /** In a system property, because a Quarkus test sees this class through several loaders. */
  private static final String PORT = "postroom.testkit.pg.port";

  /** The database with the schema and nothing else, of which others are copies. */
  private static final String MIGRATED = "migrated";

  private EmbeddedPg() {}

  /** The port of the server, which is started by the first who asks. */
  public static int port() {
    synchronized (PORT.intern()) {
      String known = System.getProperty(PORT);
      if (known == null) {
        int port = start();
        migrate(new Database(port, MIGRATED));
        known = Integer.toString(port);
        System.setProperty(PORT, known);
      }
      return Integer.parseInt(known);
    }
  }

  /** A new database with the schema in it. */
  public static Database freshDatabase() {
    return make(new Database(port(), newName()), MIGRATED);
  }

  /** A new database with nothing in it. */
  public static Database emptyDatabase() {
    return make(new Database(port(), newName()), "template1");
  }

  /** A database with all that is in that one, to which nobody may be connected. */
  public static Database copyOf(Database original) {
    return make(new Database(original.port(), original.name() + "c"), original.name());
  }

  private static String newName() {
    return "t" + UUID.randomUUID().toString().replace("-", "");
  }

  private static Database make(Database database, String template) {
    new Database(database.port(), "postgres")
        .execute("CREATE DATABASE " + database.name() + " TEMPLATE " + template);
    return database;
  }

  private static void migrate(Database database) {
    make(database, "template1");
    Flyway.configure().dataSource(database.jdbcUrl(), USER, PASSWORD).load().migrate();
  }

  private static int start() {
    try {
      return EmbeddedPostgres.builder()
          .setServerConfig("fsync", "on")
          .setServerConfig("synchronous_commit", "on")
          .setServerConfig("full_page_writes", "on")
          .setServerConfig("timezone", "Asia/Kathmandu")
          .setServerConfig("max_connections", "200")
          .start()
          .getPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One database of the server. */
  public record Database(int port, String name) {

    public String jdbcUrl() {
      return "jdbc:postgresql://127.0.0.1:" + port + "/" + name;
    }

    public String reactiveUrl() {
      return "postgresql://127.0.0.1:" + port + "/" + name;
    }

    /** A plain connection, for looking on and for interfering. */
    public Connection connect() throws SQLException {
      return DriverManager.getConnection(jdbcUrl(), USER, PASSWORD);
    }

    public PgConnectOptions connectOptions() {
      return new PgConnectOptions()
          .setHost("127.0.0.1")
          .setPort(port)
          .setDatabase(name)
          .setUser(USER)
          .setPassword(PASSWORD);
    }

    /** The first column of the first row. */
    public long number(String sql) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement();
          var rows = statement.executeQuery(sql)) {
        rows.next();
        return rows.getLong(1);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    public void execute(String sql) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
