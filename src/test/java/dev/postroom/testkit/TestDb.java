package dev.postroom.testkit;

import dev.postroom.db.Alarms;
import dev.postroom.db.Availability;
import dev.postroom.db.Connections;
import dev.postroom.db.Db;
import dev.postroom.db.FreshConnections;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The database layer over a test's database, without Quarkus. */
public final class TestDb implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final FreshConnections fresh = new FreshConnections();
  private final Pool pool;
  private final Availability availability;
  private final Db db;

  public TestDb(PgConnectOptions options, int connections) {
    this.pool =
        new Connections(fresh)
            .pool(
                vertx,
                new ArrayList<>(List.of(options)),
                new PoolOptions().setMaxSize(connections).setEventLoopSize(2));
    this.availability = new Availability(pool, vertx, fresh);
    this.db = new Db(pool, vertx, availability, fresh, new Alarms(meters));
  }

  public static TestDb over(EmbeddedPg.Database database) {
    return new TestDb(database.connectOptions(), 16);
  }

  public Db db() {
    return db;
  }

  public Availability availability() {
    return availability;
  }

  /** What the database layer counts. */
  public MeterRegistry meters() {
    return meters;
  }

  public Vertx vertx() {
    return vertx;
  }

  @Override
  public void close() {
    availability.stop();
    try {
      pool.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
      vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (InterruptedException
        | java.util.concurrent.ExecutionException
        | java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
