package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.access.Principal;
import dev.postroom.room.Room;
import dev.postroom.room.RoomMessage;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.Settings;
import dev.postroom.testkit.TestDb;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The accepting side over a database of its own, without Quarkus and without sockets. */
final class Accepting implements AutoCloseable {
  final EmbeddedPg.Database database;
  final TestDb testDb;
  final Ledger ledger;
  final AcceptConfig config;
  final AcceptMetrics metrics;
  final Combiner combiner;
  final List<RoomMessage> announced = Collections.synchronizedList(new ArrayList<>());

  Accepting() {
    this(Map.of());
  }

  Accepting(Map<String, String> settings) {
    this(EmbeddedPg.freshDatabase(), settings);
  }

  private Accepting(EmbeddedPg.Database database, Map<String, String> settings) {
    this(database, database.connectOptions(), settings);
  }

  Accepting(EmbeddedPg.Database database, PgConnectOptions options, Map<String, String> settings) {
    this.database = database;
    this.testDb = new TestDb(options, 16);
    this.ledger = new Ledger(testDb.db());
    this.config = config(settings);
    this.metrics = new AcceptMetrics(new SimpleMeterRegistry());
    this.combiner = new Combiner(ledger, this::announce, testDb.vertx(), config, metrics);
  }

  static AcceptConfig config(Map<String, String> settings) {
    return Settings.of(AcceptConfig.class, settings);
  }

  private void announce(Room room, List<RoomMessage> messages) {
    announced.addAll(messages);
  }

  void room(String... ids) {
    Arrays.stream(ids)
        .forEach(id -> database.execute("INSERT INTO room (id, nonce) VALUES ('" + id + "', 7)"));
  }

  static Submission submission(String who, String room, String id, String text) {
    return new Submission(who, principal(who), room, id, text, null);
  }

  static Principal principal(String who) {
    return new Principal(who, "name of " + who, Map.of(), false, null);
  }

  CompletableFuture<Outcome> submit(Submission submission) {
    return submit(submission, false);
  }

  CompletableFuture<Outcome> submit(Submission submission, boolean mayCreate) {
    CompletableFuture<Outcome> result = new CompletableFuture<>();
    combiner.submit(new Command(submission, mayCreate, result::complete));
    return result;
  }

  Outcome accept(Submission submission) {
    return submit(submission).join();
  }

  /** One transaction of the ledger, without combiner. */
  List<Ledger.Entry> write(Submission... submissions) {
    return await(
        ledger.write(
            Arrays.stream(submissions)
                .map(submission -> new Command(submission, false, outcome -> {}))
                .toList(),
            List.of()));
  }

  /** A second node over the same database. */
  Accepting beside() {
    return new Accepting(database, database.connectOptions(), Map.of());
  }

  /** Holds the room's lock until it is rolled back. */
  Connection hold(String room) throws SQLException {
    return begin("SELECT * FROM room WHERE id = '" + room + "' FOR UPDATE");
  }

  /** Lets the ledger lock its rooms, but not go on to accept, until it is rolled back. */
  Connection holdBetweenLockAndAccept() throws SQLException {
    return begin("LOCK TABLE outbox IN SHARE MODE");
  }

  /** A transaction that has begun with that statement. */
  Connection begin(String sql) throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    connection.createStatement().execute(sql);
    return connection;
  }

  /** Until that many wait for a lock of the database. */
  void awaitWaiting(int many) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                database.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                            + " AND wait_event_type = 'Lock'")
                    >= many);
  }

  /** The numbers of each room are 1 to its head. */
  void assertDense() {
    assertEquals(
        0,
        database.number(
            "SELECT count(*) FROM room WHERE head <> (SELECT count(*) FROM message"
                + " WHERE room_no = no) OR head IS DISTINCT FROM (SELECT coalesce(max(seq), 0)"
                + " FROM message WHERE room_no = no)"));
  }

  static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (InterruptedException
        | java.util.concurrent.ExecutionException
        | java.util.concurrent.TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    testDb.close();
  }
}
