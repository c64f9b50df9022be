package dev.postroom.receiving;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Applies every event once, in order, on a PostgreSQL: the recipe of {@code docs/receiving.md}.
 * Safe for any thread and any number of processes.
 */
final class Inbox {

  static final String TABLES =
      """
      CREATE TABLE IF NOT EXISTS inbox (
          consumer text        NOT NULL,
          source   text        NOT NULL,
          event_id text        NOT NULL,
          seen_at  timestamptz NOT NULL DEFAULT now(),
          PRIMARY KEY (consumer, source, event_id)
      );
      CREATE TABLE IF NOT EXISTS inbox_room (
          consumer text   NOT NULL,
          source   text   NOT NULL,
          epoch    text   NOT NULL,
          last_seq bigint NOT NULL,
          PRIMARY KEY (consumer, source, epoch)
      );
      CREATE TABLE IF NOT EXISTS inbox_hole (
          consumer text   NOT NULL,
          source   text   NOT NULL,
          epoch    text   NOT NULL,
          seq      bigint NOT NULL,
          PRIMARY KEY (consumer, source, epoch, seq)
      );
      """;

  private static final String INSERT =
      "INSERT INTO inbox (consumer, source, event_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING";

  /** The first event of an epoch says where the wall begins. */
  private static final String BEGIN_WALL =
      "INSERT INTO inbox_room (consumer, source, epoch, last_seq) VALUES (?, ?, ?, ?)"
          + " ON CONFLICT DO NOTHING";

  private static final String WALL =
      "SELECT last_seq FROM inbox_room WHERE consumer = ? AND source = ? AND epoch = ? FOR UPDATE";

  private static final String RAISE_WALL =
      "UPDATE inbox_room SET last_seq = ? WHERE consumer = ? AND source = ? AND epoch = ?";

  private static final String OPEN_HOLE =
      "INSERT INTO inbox_hole (consumer, source, epoch, seq) VALUES (?, ?, ?, ?)"
          + " ON CONFLICT DO NOTHING";

  private static final String FILL_HOLE =
      "DELETE FROM inbox_hole WHERE consumer = ? AND source = ? AND epoch = ? AND seq = ?";

  private final Database database;
  private final String consumer;
  private final Effect effect;

  /**
   * @param consumer who applies: consumers that share the tables do not share what they have seen
   */
  Inbox(Database database, String consumer, Effect effect) {
    this.database = database;
    this.consumer = consumer;
    this.effect = effect;
  }

  /** Where connections come from. */
  interface Database {
    Connection open() throws SQLException;
  }

  /** What an event does here; in the transaction that notes it as seen, and nowhere else. */
  interface Effect {
    void apply(Connection transaction, Event message) throws SQLException;
  }

  enum Verdict {
    TAKEN,
    /** Seen before: nothing was done, and the sender is to be told success. */
    REPEAT,
    /** Numbers before it are missing: nothing was done. */
    AHEAD
  }

  /** One event, in one transaction. If it fails nothing has happened. */
  Verdict take(Event event) throws SQLException {
    try (Connection transaction = database.open()) {
      transaction.setAutoCommit(false);
      try {
        Verdict verdict = take(transaction, event);
        if (verdict == Verdict.AHEAD) {
          // Not seen either: it comes again when the hole is filled.
          transaction.rollback();
        } else {
          transaction.commit();
        }
        return verdict;
      } catch (SQLException | RuntimeException e) {
        rollBack(transaction, e);
        throw e;
      }
    }
  }

  /** Many, each with a verdict of its own: one that was seen before refuses no other. */
  List<Verdict> takeAll(List<Event> events) throws SQLException {
    List<Verdict> verdicts = new ArrayList<>();
    for (Event event : events) {
      verdicts.add(take(event));
    }
    return verdicts;
  }

  private Verdict take(Connection transaction, Event event) throws SQLException {
    // Waits for a delivery of the same event that is under way, whichever way that ends.
    if (run(transaction, INSERT, consumer, event.source(), event.id()) == 0) {
      return Verdict.REPEAT;
    }
    Object[] wall = {consumer, event.source(), event.epoch()};
    run(transaction, BEGIN_WALL, wall[0], wall[1], wall[2], event.seq() - 1);
    long last = number(transaction, WALL, wall);
    if (event.seq() <= last) {
      return late(transaction, event);
    }
    if (event.seq() > last + 1) {
      return Verdict.AHEAD;
    }
    if (event.isGap()) {
      for (long missing : event.missing()) {
        run(transaction, OPEN_HOLE, wall[0], wall[1], wall[2], missing);
      }
    } else {
      effect.apply(transaction, event);
    }
    run(transaction, RAISE_WALL, event.seq(), wall[0], wall[1], wall[2]);
    return Verdict.TAKEN;
  }

  /** Below the wall only what fills a hole is news. */
  private Verdict late(Connection transaction, Event event) throws SQLException {
    boolean fills =
        event.late()
            && run(transaction, FILL_HOLE, consumer, event.source(), event.epoch(), event.seq())
                == 1;
    if (!fills) {
      return Verdict.REPEAT;
    }
    effect.apply(transaction, event);
    return Verdict.TAKEN;
  }

  /** The next number that is wanted of the event's room. */
  long next(Event event) throws SQLException {
    try (Connection connection = database.open()) {
      return 1 + number(connection, WALL, consumer, event.source(), event.epoch());
    }
  }

  private static int run(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepared(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  private static long number(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = prepared(connection, sql, values);
        ResultSet rows = statement.executeQuery()) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static PreparedStatement prepared(Connection connection, String sql, Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  private static void rollBack(Connection transaction, Exception reason) {
    try {
      transaction.rollback();
    } catch (SQLException e) {
      // The connection is gone, and with it the transaction.
      reason.addSuppressed(e);
    }
  }
}
