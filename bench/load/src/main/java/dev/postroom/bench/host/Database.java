package dev.postroom.bench.host;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** One database of the bench's server. */
public record Database(int port, String name) {
  public static final String USER = "postgres";
  public static final String PASSWORD = "postgres";

  public String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + name;
  }

  /** As Node's and other drivers want it. */
  public String url() {
    return "postgres://%s:%s@127.0.0.1:%d/%s".formatted(USER, PASSWORD, port, name);
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(), USER, PASSWORD);
  }

  public void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first column of the first row. */
  public String value(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
