package dev.postroom.boot;

import java.sql.SQLException;

/** Says what a database's refusal at start means and what to do. Pure. */
final class DatabaseFault {

  private DatabaseFault() {}

  /**
   * One line.
   *
   * @param address what to call the database
   */
  static String explain(String address, SQLException fault) {
    String state = fault.getSQLState() == null ? "" : fault.getSQLState();
    String said = " (" + said(fault) + ")";
    switch (state) {
      case "28P01":
      case "28000":
        return "The database at "
            + address
            + " refuses this user"
            + said
            + ": check QUARKUS_DATASOURCE_USERNAME and QUARKUS_DATASOURCE_PASSWORD.";
      case "3D000":
        return "The server has no database of that name, "
            + address
            + said
            + ": create it with CREATE DATABASE, or correct QUARKUS_DATASOURCE_REACTIVE_URL.";
      case "42501":
        return "The user may not create tables in the database at "
            + address
            + said
            + ": GRANT CREATE ON SCHEMA public to it, or make it the database's owner.";
      case "53300":
        return "The database at "
            + address
            + " has no connection left"
            + said
            + ": raise its max_connections, or stop what holds them.";
      case "57P03":
        return "The database at "
            + address
            + " is starting or stopping"
            + said
            + ": start Postroom again when it is up.";
      default:
        return state.startsWith("08")
            ? "The database at "
                + address
                + " cannot be reached"
                + said
                + ": start it, or correct QUARKUS_DATASOURCE_REACTIVE_URL."
            : "The database at "
                + address
                + " answers with SQLSTATE "
                + state
                + said
                + ": see to that, then start Postroom again.";
    }
  }

  private static String said(SQLException fault) {
    Throwable deepest = fault;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    String message = deepest.getMessage();
    return message == null ? deepest.getClass().getSimpleName() : message;
  }
}
