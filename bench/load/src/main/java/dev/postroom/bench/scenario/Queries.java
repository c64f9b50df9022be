package dev.postroom.bench.scenario;

import dev.postroom.bench.host.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts the queries of a database by pg_stat_statements, and takes off what a load that goes on
 * all the time causes anyway. Transaction control is not counted.
 */
final class Queries implements AutoCloseable {
  private static final int TOLD = 5;
  private static final int TOLD_CHARACTERS = 160;

  private final Database database;
  private final Database admin;
  private Map<String, Double> perSecond = Map.of();
  private Map<String, Long> before = Map.of();
  private long since;

  private Queries(Database database) {
    this.database = database;
    this.admin = new Database(database.port(), "postgres");
  }

  /** For the sessions that are opened from now on, and for those that are there. */
  static Queries count(Database database) throws SQLException {
    Queries queries = new Queries(database);
    queries.admin.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    queries.admin.execute("ALTER SYSTEM SET pg_stat_statements.track = 'top'");
    queries.admin.execute("SELECT pg_reload_conf()");
    return queries;
  }

  /** Watches for a while what runs anyway. */
  void rest(int seconds) throws SQLException, InterruptedException {
    Map<String, Long> start = calls();
    long from = System.nanoTime();
    TimeUnit.SECONDS.sleep(seconds);
    double took = (System.nanoTime() - from) / 1e9;
    Map<String, Double> rates = new HashMap<>();
    calls()
        .forEach(
            (query, count) -> rates.put(query, (count - start.getOrDefault(query, 0L)) / took));
    perSecond = rates;
  }

  /** What runs anyway, of all statements together. */
  double perSecond() {
    return perSecond.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  void begin() throws SQLException {
    before = calls();
    since = System.nanoTime();
  }

  /** How many there were since {@link #begin} beyond those that run anyway. */
  Beyond end() throws SQLException {
    double took = (System.nanoTime() - since) / 1e9;
    Map<String, Double> more = new HashMap<>();
    calls()
        .forEach(
            (query, count) -> {
              double expected = perSecond.getOrDefault(query, 0.0) * took;
              double beyond = count - before.getOrDefault(query, 0L) - expected;
              if (beyond > 0) {
                more.put(query, beyond);
              }
            });
    List<String> most =
        more.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(TOLD)
            .map(entry -> Math.round(entry.getValue()) + " × " + oneLine(entry.getKey()))
            .toList();
    return new Beyond(more.values().stream().mapToDouble(Double::doubleValue).sum(), most);
  }

  /** The next run is not to pay for the counting. */
  @Override
  public void close() throws SQLException {
    admin.execute("ALTER SYSTEM SET pg_stat_statements.track = 'none'");
    admin.execute("SELECT pg_reload_conf()");
  }

  private static String oneLine(String query) {
    String line = query.replaceAll("\\s+", " ").trim();
    return line.substring(0, Math.min(line.length(), TOLD_CHARACTERS));
  }

  /**
   * @param most the statements that were run most, with their counts
   */
  record Beyond(double count, List<String> most) {}

  private Map<String, Long> calls() throws SQLException {
    String sql =
        """
        SELECT s.query, sum(s.calls)
          FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
         WHERE d.datname = '%s'
           AND s.query !~* '^\\s*(begin|commit|rollback|start|end|set|show|discard)'
         GROUP BY s.query
        """
            .formatted(database.name());
    try (Connection connection = admin.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      Map<String, Long> calls = new HashMap<>();
      while (rows.next()) {
        calls.put(rows.getString(1), rows.getLong(2));
      }
      return calls;
    }
  }
}
