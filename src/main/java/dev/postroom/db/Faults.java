package dev.postroom.db;

import dev.postroom.protocol.ErrorCode;
import io.vertx.core.VertxException;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The one place that turns a failure of the database into what a client is told. */
public final class Faults {

  private Faults() {}

  /** Never fails; what it does not know is {@link ErrorCode#INTERNAL}. */
  public static ErrorCode code(Throwable failure) {
    if (failure instanceof DeadlinePassed || failure instanceof Contended || isReadOnly(failure)) {
      return ErrorCode.BUSY;
    }
    if (isConnectivity(failure)) {
      return ErrorCode.UNAVAILABLE;
    }
    String state = sqlState(failure);
    if (state == null) {
      return ErrorCode.INTERNAL;
    }
    return switch (state) {
      // lock_timeout, statement_timeout, serialisation, deadlock.
      case "55P03", "57014", "40001", "40P01" -> ErrorCode.BUSY;
      // Bytes that the rules should have caught.
      case "22021", "22P05" -> ErrorCode.INVALID;
      default -> isExhausted(failure) ? ErrorCode.UNAVAILABLE : ErrorCode.INTERNAL;
    };
  }

  /** What people are told about a failure that is {@link ErrorCode#BUSY}. */
  public static String busy(Throwable failure) {
    if (isReadOnly(failure)) {
      return "The database takes no writes at the moment; try again.";
    }
    return failure instanceof Contended
        ? failure.getMessage() + "; try again."
        : "The database did not answer in time; try again.";
  }

  /** What people are told about a failure that is {@link ErrorCode#UNAVAILABLE}. */
  public static String unavailable(Throwable failure) {
    return isExhausted(failure)
        ? "The database has no space, memory or connection left; try again later."
        : "The database is away; try again.";
  }

  /** The server is there, but has run out of disk, memory or connections; nothing was stored. */
  public static boolean isExhausted(Throwable failure) {
    String state = sqlState(origin(failure));
    return state != null && state.startsWith("53");
  }

  /** What the server itself said, if that is why there was no connection. */
  static Throwable origin(Throwable failure) {
    return failure instanceof NoConnection && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** The server takes no writes, as in a fail-over; nothing was stored. */
  public static boolean isReadOnly(Throwable failure) {
    return failure instanceof ReadOnly || "25006".equals(sqlState(failure));
  }

  /** The connection could not be made or did not last. */
  public static boolean isConnectivity(Throwable failure) {
    if (failure instanceof DatabaseAway || failure instanceof NoConnection) {
      return true;
    }
    String state = sqlState(failure);
    if (state != null) {
      return state.startsWith("08") || state.startsWith("57P");
    }
    return failure instanceof IOException
        || failure instanceof ClosedChannelException
        || failure instanceof TimeoutException
        // The driver's own words for a connection that was closed under its commands, and for one
        // that was closed before them.
        || failure instanceof VertxException
        || failure instanceof NoStackTraceThrowable;
  }

  /**
   * Whether the transaction may have been committed although it failed: true when its connection or
   * our patience ended after it was sent (A8).
   */
  public static boolean isOutcomeUnknown(Throwable failure) {
    if (failure instanceof DeadlinePassed deadline) {
      return deadline.sent();
    }
    if (failure instanceof DatabaseAway away) {
      return away.sent();
    }
    return isConnectivity(failure) && !(failure instanceof NoConnection);
  }

  /** The server's five-character code, or null if the failure is not the server's. */
  public static @Nullable String sqlState(Throwable failure) {
    return failure instanceof PgException pg ? pg.getSqlState() : null;
  }
}
