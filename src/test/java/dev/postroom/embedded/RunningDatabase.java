package dev.postroom.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Looks into an embedded database from outside. */
final class RunningDatabase {

  private RunningDatabase() {}

  static String jdbc(EmbeddedDatabase database) {
    return "jdbc:" + database.reactiveUrl();
  }

  static String text(EmbeddedDatabase database, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(jdbc(database), database.username(), database.password());
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet rows = statement.getResultSet()) {
        return rows.next() ? rows.getString(1) : "";
      }
    }
  }
}
