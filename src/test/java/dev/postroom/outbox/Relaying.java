package dev.postroom.outbox;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** One node's relay over a database, without Quarkus, with sinks that live in the test. */
final class Relaying implements AutoCloseable {
  final EmbeddedPg.Database database;
  final TestDb testDb;
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final Outbox outbox;
  final Sinks sinks;
  final Lanes lanes;
  final Settler settler;
  final Leases leases;
  final PumpParts parts;
  final Pumps pumps;
  final Relay relay;

  Relaying(EmbeddedPg.Database database, SinkType type, Map<String, String> settings) {
    this(database, database.connectOptions(), type, settings);
  }

  Relaying(
      EmbeddedPg.Database database,
      PgConnectOptions options,
      SinkType type,
      Map<String, String> settings) {
    this.database = database;
    this.testDb = new TestDb(options, 8);
    RelayConfig config = config(settings);
    RelayMetrics metrics = new RelayMetrics(meters);
    this.outbox = new Outbox(testDb.db());
    this.sinks = new Sinks(testDb.db(), config);
    this.lanes = new Lanes(testDb.db());
    this.settler = new Settler(testDb.db(), metrics);
    this.leases = new Leases(lanes, config);
    this.parts =
        new PumpParts(config, lanes, settler, leases, metrics, new RelayLoop(testDb.vertx()));
    this.pumps = new Pumps(sinks, List.of(type), parts);
    this.relay = new Relay(outbox, pumps, parts);
    // The first connection writes the lineage.
    await(outbox.look(0, 0));
  }

  static RelayConfig config(Map<String, String> settings) {
    return new SmallRyeConfigBuilder()
        .withMapping(RelayConfig.class)
        .withConverter(Duration.class, 200, new DurationConverter())
        .withDefaultValues(settings)
        .build()
        .getConfigMapping(RelayConfig.class);
  }

  /** Looks every 20 ms, as the scheduler does once a second, and not while a look is under way. */
  Relaying started() {
    relay.onStart(null);
    AtomicBoolean looking = new AtomicBoolean();
    testDb
        .vertx()
        .setPeriodic(
            20,
            id -> {
              if (looking.compareAndSet(false, true)) {
                relay
                    .pass()
                    .onTermination()
                    .invoke(() -> looking.set(false))
                    .subscribe()
                    .with(done -> {}, failure -> {});
              }
            });
    return this;
  }

  void pass() {
    await(relay.pass());
  }

  static void room(EmbeddedPg.Database database, String id) {
    database.execute("INSERT INTO room (id, nonce) VALUES ('" + id + "', 7)");
  }

  /** As accepting does it: numbers, messages and outbox in one transaction. */
  static void accept(EmbeddedPg.Database database, String room, int count) {
    database.execute(acceptSql(room, count));
  }

  static String acceptSql(String room, int count) {
    return """
    WITH held AS (SELECT no, head FROM room WHERE id = '%1$s' AND closed_at IS NULL FOR UPDATE),
    bumped AS (UPDATE room SET head = room.head + %2$d FROM held WHERE room.no = held.no),
    rung AS (INSERT INTO outbox (room_no, first_seq, last_seq)
             SELECT no, head + 1, head + %2$d FROM held)
    INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                         lineage, hash_rule, content_hash, text, accepted_at)
    SELECT no, head + n, gen_random_uuid(), 'ann', 'k' || (head + n), 'Ann',
           (SELECT max(no) FROM lineage), 1, '\\x00', 'text ' || (head + n), clock_timestamp()
      FROM held, generate_series(1, %2$d) n
    """
        .formatted(room, count);
  }

  /** A sink of the test's type. */
  int sink(String id, SinkRow.Poison poison, boolean fromBeginning, String... rooms) {
    await(
        sinks.create(
            new Sinks.NewSink(
                id,
                "test",
                id,
                List.of(rooms),
                id,
                SinkRow.Format.STRUCTURED,
                poison,
                null,
                fromBeginning,
                Map.of())));
    return (int) database.number("SELECT no FROM sink WHERE id = '" + id + "'");
  }

  static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(60));
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As when the process is killed: nothing is settled any more, connections end. */
  void kill() {
    testDb.close();
  }

  @Override
  public void close() {
    relay.stopClaiming();
    relay.awaitQuiet();
    testDb.close();
  }
}
