package dev.postroom.db;

import io.quarkus.reactive.pg.client.PgPoolCreator;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Makes the pool of the whole service: how every session is set up, and the look at the lineage
 * before a connection is used.
 */
@Singleton
public class Connections implements PgPoolCreator {
  /** A connection on which nothing is read for this long is closed. */
  public static final Duration SILENCE = Duration.ofSeconds(60);

  /**
   * The pool gives a connection back that nobody has used for this long: well before its silence
   * would be taken for a lost peer, just when a command sets out on it.
   */
  static final Duration IDLE = SILENCE.dividedBy(2);

  private static final Logger LOG = Logger.getLogger(Connections.class);

  private final FreshConnections fresh;

  public Connections(FreshConnections fresh) {
    this.fresh = fresh;
  }

  @Override
  public Pool create(Input input) {
    return pool(input.vertx(), input.pgConnectOptionsList(), input.poolOptions());
  }

  /** A pool over the first reachable of {@code addresses}. The options are completed in place. */
  public Pool pool(Vertx vertx, List<PgConnectOptions> addresses, PoolOptions options) {
    addresses.forEach(Connections::complete);
    return PgBuilder.pool()
        .with(options.setIdleTimeout((int) IDLE.toSeconds()).setIdleTimeoutUnit(TimeUnit.SECONDS))
        .connectingTo(List.copyOf(addresses))
        .using(vertx)
        .withConnectHandler(this::onConnect)
        .build();
  }

  private static void complete(PgConnectOptions options) {
    options
        .addProperty("application_name", "postroom")
        .addProperty("lock_timeout", "2s")
        .addProperty("statement_timeout", "5s")
        .addProperty("idle_in_transaction_session_timeout", "30s")
        // Compiling costs more than any of these statements takes.
        .addProperty("jit", "off")
        .setCachePreparedStatements(true)
        .setPreparedStatementCacheSqlLimit(8192)
        .setConnectTimeout(2_000)
        // Frees what hangs on a peer that vanished without a word.
        .setReadIdleTimeout((int) SILENCE.toSeconds())
        .setIdleTimeoutUnit(TimeUnit.SECONDS)
        .setTcpKeepAlive(true);
  }

  static void reported(Throwable failure) {
    LOG.debugf("connection ended: %s", failure.getMessage());
  }

  /** Closing hands the connection to the pool, so every way must end in it. */
  private void onConnect(SqlConnection connection) {
    connection.exceptionHandler(Connections::reported);
    fresh.made(connection);
    Lineage.check(connection)
        .onSuccess(checked -> connection.close())
        .onFailure(
            failure -> {
              LOG.warnf("connection refused: %s", failure.getMessage());
              // The pool offers no way to throw a connection away; its server side does.
              connection
                  .query("SELECT pg_terminate_backend(pg_backend_pid())")
                  .execute()
                  .onComplete(ended -> connection.close());
            });
  }
}
