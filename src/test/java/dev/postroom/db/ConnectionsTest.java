package dev.postroom.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConnectionsTest {

  @Test
  @DisplayName("S3: the pool lets go of an idle connection long before its silence would cut it")
  void idleBeforeSilent() {
    PoolOptions pool = new PoolOptions();
    PgConnectOptions address = new PgConnectOptions();
    Vertx vertx = Vertx.vertx();
    try {
      new Connections(new FreshConnections()).pool(vertx, List.of(address), pool).close();
    } finally {
      vertx.close();
    }
    assertEquals(TimeUnit.SECONDS, pool.getIdleTimeoutUnit());
    assertEquals(TimeUnit.SECONDS, address.getIdleTimeoutUnit());
    assertTrue(pool.getIdleTimeout() > 0);
    assertTrue(2 * pool.getIdleTimeout() <= address.getReadIdleTimeout());
    // The pool looks this often, in milliseconds.
    assertTrue(pool.getPoolCleanerPeriod() <= 1_000);
  }
}
