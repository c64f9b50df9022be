package dev.postroom.db;

import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives up the pool's connections to a server that has turned read-only (25006).
 *
 * <p>After a fail-over the addresses lead to the new primary, but connections that were made before
 * still lead to the old one. So each has a generation, which ends when one of it answers that it is
 * read-only: none of that generation or before is handed out again. Safe for any thread.
 */
@Singleton
public class FreshConnections {

  /** More than any pool has. What is forgotten counts as old, which costs one more connecting. */
  private static final int REMEMBERED = 1_024;

  /** The pool offers no way to throw a connection away; its server side does. */
  private static final String END = "SELECT pg_terminate_backend(pg_backend_pid())";

  private final Map<Backend, Long> births =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Backend, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  private long generation;

  /** A connection of the pool that is not over. */
  Future<SqlConnection> from(Pool pool) {
    return pool.getConnection()
        .compose(
            connection -> {
              if (!isOver(connection)) {
                return Future.succeededFuture(connection);
              }
              end(connection);
              return from(pool);
            });
  }

  /** A new physical connection. */
  synchronized void made(SqlConnection connection) {
    births.put(Backend.of(connection), generation);
  }

  /** Its server is read-only: it and all that are as old are over. */
  private synchronized void readOnly(SqlConnection connection) {
    if (!isOver(connection)) {
      generation++;
    }
  }

  synchronized boolean isOver(SqlConnection connection) {
    return generation > births.getOrDefault(Backend.of(connection), 0L);
  }

  /**
   * Takes back a connection after its use, and ends it if its failure says that it is of no use.
   */
  void giveBack(SqlConnection connection, @Nullable Throwable failure) {
    if (failure == null) {
      connection.close();
    } else if (Faults.isReadOnly(failure)) {
      readOnly(connection);
      end(connection);
    } else if (Faults.isConnectivity(failure)) {
      // The pool may not have noticed yet, and would hand it out once more.
      end(connection);
    } else {
      connection.close();
    }
  }

  /** Ends a connection that nobody uses, and that is in no transaction. */
  static void end(SqlConnection connection) {
    connection
        .exceptionHandler(Connections::reported)
        .query(END)
        .execute()
        .onFailure(
            failure -> {
              // One that has ended is taken out of the pool by the pool, and is not to go back.
              if (!Faults.isConnectivity(failure)) {
                connection.close();
              }
            });
  }

  private record Backend(int processId, int secretKey) {
    static Backend of(SqlConnection connection) {
      PgConnection session = PgConnection.cast(connection);
      return new Backend(session.processId(), session.secretKey());
    }
  }
}
