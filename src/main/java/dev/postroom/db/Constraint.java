package dev.postroom.db;

import io.vertx.pgclient.PgException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The named constraints of the schema that code reacts to. Recognised by name, never by the text of
 * a message.
 */
public enum Constraint {
  /** One command key, one message (A1). */
  MESSAGE_COMMAND_KEY("message_command_key"),
  /** One number, one message (N1). */
  MESSAGE_NUMBER("message_number"),
  /** One open room per name. */
  ROOM_OPEN("room_open");

  private final String constraintName;

  Constraint(String constraintName) {
    this.constraintName = constraintName;
  }

  /** The constraint that {@code failure} says was violated, or null. */
  public static @Nullable Constraint violatedBy(Throwable failure) {
    if (!(failure instanceof PgException pg) || pg.getConstraint() == null) {
      return null;
    }
    return Arrays.stream(values())
        .filter(constraint -> constraint.constraintName.equals(pg.getConstraint()))
        .findFirst()
        .orElse(null);
  }
}
