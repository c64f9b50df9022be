package dev.postroom.receiving;

import dev.postroom.testkit.EmbeddedPg;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A consumer whose effect is a row, in the order of the taking; and events for it. */
final class Consumer {
  static final String SECRET = "whsec_UmVjZWl2ZXJTZWNyZXRSZWNlaXZlclNl";

  final EmbeddedPg.Database database = EmbeddedPg.emptyDatabase();
  volatile Inbox.Effect before = (transaction, event) -> {};

  Consumer() {
    database.execute(Inbox.TABLES);
    database.execute(
        "CREATE TABLE applied (no bigint GENERATED ALWAYS AS IDENTITY, consumer text, what text)");
  }

  /** As after a restart: nothing is remembered but what is in the database. */
  Inbox inbox(String name) {
    return new Inbox(
        database::connect,
        name,
        (transaction, event) -> {
          before.apply(transaction, event);
          write(transaction, name, event.seq() + " " + event.data().path("text").asText());
        });
  }

  private static void write(Connection transaction, String consumer, String what)
      throws SQLException {
    String sql = "INSERT INTO applied (consumer, what) VALUES (?, ?)";
    try (PreparedStatement insert = transaction.prepareStatement(sql)) {
      insert.setString(1, consumer);
      insert.setString(2, what);
      insert.executeUpdate();
    }
  }

  /** What that consumer has done, in order. */
  List<String> applied(String consumer) {
    List<String> all = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT what FROM applied WHERE consumer = '" + consumer + "' ORDER BY no")) {
      while (rows.next()) {
        all.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return all;
  }

  /** Returns once somebody waits for a lock here. */
  long waiting() {
    return database.number(
        "SELECT count(*) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND wait_event_type = 'Lock'");
  }

  static String message(long seq, String text) {
    return message("e1", seq, text, false);
  }

  static String message(String epoch, long seq, String text, boolean late) {
    return """
    {"specversion":"1.0","id":"case-1:%1$s:%2$d","source":"/rooms/case-1",
     "type":"dev.postroom.message.accepted.v1","sequence":"%2$016d"%4$s,
     "data":{"room":"case-1","epoch":"%1$s","seq":%2$d,"text":"%3$s"}}"""
        .formatted(epoch, seq, text, late ? ",\"late\":true" : "");
  }

  static String gap(long seq) {
    return """
    {"specversion":"1.0","id":"case-1:e1:%1$d:gap","source":"/rooms/case-1",
     "type":"dev.postroom.room.gap.v1","sequence":"%1$016d",
     "data":{"room":"case-1","epoch":"e1","missing":[%1$d]}}"""
        .formatted(seq);
  }
}
