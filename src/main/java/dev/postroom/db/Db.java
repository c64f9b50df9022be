package dev.postroom.db;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Statements with a deadline.
 *
 * <p>Guarantees: while the database is away every call fails at once with {@link DatabaseAway}, and
 * so does every one that waits for an answer when this is noticed; while it is read-only every call
 * fails at once with {@link ReadOnly}, and no connection of before is used after it; a deadline
 * fails the caller with {@link DeadlinePassed}; both keep the connection out of the pool until its
 * commands have ended; a failure is one that {@link Faults} can read. Nothing is sent before a Uni
 * is subscribed. Safe for any thread.
 */
@ApplicationScoped
public class Db {

  /** Longer than {@code lock_timeout} and {@code statement_timeout} together. */
  public static final Duration DEADLINE = Duration.ofSeconds(8);

  /**
   * How a transaction begins. Its statements look rows up by key, and their plans are kept by the
   * connection: made while a table was small or not yet analyzed, a plan that reads the whole table
   * would stay when the table has grown. So such plans are not made (ADR 0002).
   */
  public static final String BEGIN =
      """
      BEGIN ISOLATION LEVEL READ COMMITTED;
      SET LOCAL enable_seqscan = off;
      SET LOCAL enable_hashjoin = off;
      SET LOCAL enable_mergejoin = off;
      SET LOCAL plan_cache_mode = force_generic_plan
      """;

  private static final String COMMIT = "COMMIT";

  private final Pool pool;
  private final Vertx vertx;
  private final Availability availability;
  private final FreshConnections fresh;
  private final Alarms alarms;
  private final Set<Call<?>> waiting = ConcurrentHashMap.newKeySet();

  @Inject
  public Db(
      Pool pool, Vertx vertx, Availability availability, FreshConnections fresh, Alarms alarms) {
    this.pool = pool;
    this.vertx = vertx;
    this.availability = availability;
    this.fresh = fresh;
    this.alarms = alarms;
    availability.whileAway(() -> waiting.forEach(Call::giveUp));
  }

  /** All rows of one statement. */
  public <T> Uni<List<T>> many(String sql, Tuple arguments, Function<Row, T> reader) {
    return uni(() -> statement(sql, arguments).map(rows -> read(rows, reader)));
  }

  /** The first row of one statement, or null. */
  public <T> Uni<@Nullable T> one(String sql, Tuple arguments, Function<Row, T> reader) {
    return uni(
        () ->
            statement(sql, arguments)
                .map(rows -> rows.size() == 0 ? null : reader.apply(rows.iterator().next())));
  }

  /** How many rows one statement touched. */
  public Uni<Integer> run(String sql, Tuple arguments) {
    return uni(() -> statement(sql, arguments).map(RowSet::rowCount));
  }

  /**
   * Statements in one READ COMMITTED transaction, all sent without waiting for answers: about one
   * round trip. Each statement sees what was committed before it began. If one fails the COMMIT
   * acts as ROLLBACK and the first failure is answered.
   *
   * @return the rows of the last statement
   */
  public Future<RowSet<Row>> transaction(Statement... statements) {
    return withConnection(DEADLINE, connection -> pipeline(connection, statements));
  }

  /**
   * A connection for {@code work}, whose future must not complete before all its commands have
   * ended.
   */
  public <T> Future<T> withConnection(Duration deadline, Function<SqlConnection, Future<T>> work) {
    if (availability.isAway()) {
      return Future.failedFuture(new DatabaseAway(false));
    }
    if (availability.isReadOnly()) {
      return Future.failedFuture(new ReadOnly());
    }
    Call<T> call = new Call<>(deadline);
    waiting.add(call);
    call.result.future().onComplete(done -> waiting.remove(call));
    fresh
        .from(pool)
        .onFailure(failure -> call.fail(new NoConnection(failure)))
        .onSuccess(connection -> call.run(connection, work));
    return call.result.future();
  }

  /**
   * A connection that the caller keeps, for a LISTEN or the like; {@code PgConnection.cast} shows
   * its notifications. It has been checked like any other, ends with the database or after {@link
   * Connections#SILENCE} without an answer to read, and is given back by closing it. Whoever keeps
   * it asks {@link #endIfOver} now and then.
   */
  public Future<SqlConnection> session() {
    return fresh.from(pool);
  }

  /**
   * Ends a session whose server has turned read-only since: the primary is elsewhere now.
   *
   * @return whether it was so
   */
  public boolean endIfOver(SqlConnection session) {
    boolean over = fresh.isOver(session);
    if (over) {
      FreshConnections.end(session);
    }
    return over;
  }

  private Future<RowSet<Row>> statement(String sql, Tuple arguments) {
    return withConnection(DEADLINE, connection -> connection.preparedQuery(sql).execute(arguments));
  }

  private static Future<RowSet<Row>> pipeline(SqlConnection connection, Statement... statements) {
    List<Future<RowSet<Row>>> sent = new ArrayList<>(statements.length + 2);
    sent.add(connection.query(BEGIN).execute());
    for (Statement statement : statements) {
      sent.add(connection.preparedQuery(statement.sql()).execute(statement.arguments()));
    }
    sent.add(connection.query(COMMIT).execute());
    // join, not all: the connection must be quiet before it goes back.
    return Future.join(sent)
        .transform(
            done ->
                sent.stream()
                    .filter(Future::failed)
                    .findFirst()
                    .orElseGet(() -> sent.get(sent.size() - 2)));
  }

  private static <T> List<T> read(RowSet<Row> rows, Function<Row, T> reader) {
    List<T> result = new ArrayList<>(rows.size());
    for (Row row : rows) {
      result.add(reader.apply(row));
    }
    return result;
  }

  private static <T> Uni<T> uni(Supplier<Future<T>> call) {
    return Uni.createFrom()
        .emitter(emitter -> call.get().onSuccess(emitter::complete).onFailure(emitter::fail));
  }

  /** One SQL text with its arguments, sent as a prepared statement. */
  public record Statement(String sql, Tuple arguments) {}

  /** One use of a connection: whichever comes first of answer, deadline and an absent database. */
  private final class Call<T> {
    private final Promise<T> result = Promise.promise();
    private final long timer;
    private volatile boolean sent;

    Call(Duration deadline) {
      timer =
          vertx.setTimer(
              deadline.toMillis(),
              fired -> {
                availability.suspect();
                result.tryFail(new DeadlinePassed(deadline, sent));
              });
    }

    void run(SqlConnection connection, Function<SqlConnection, Future<T>> work) {
      if (result.future().isComplete()) {
        connection.close();
        return;
      }
      sent = true;
      // Whoever uses the connection hears of its end; without this the driver prints it as well.
      connection.exceptionHandler(Connections::reported);
      work.apply(connection)
          .onComplete(
              done -> {
                fresh.giveBack(connection, done.cause());
                if (done.succeeded()) {
                  vertx.cancelTimer(timer);
                  result.tryComplete(done.result());
                } else {
                  fail(done.cause());
                }
              });
    }

    /** No answer will come soon; whether there was anything to answer stays unknown. */
    void giveUp() {
      vertx.cancelTimer(timer);
      result.tryFail(new DatabaseAway(sent));
    }

    void fail(Throwable failure) {
      vertx.cancelTimer(timer);
      alarms.look(failure);
      if (Faults.isReadOnly(failure)) {
        availability.readOnly();
      } else if (Faults.isConnectivity(failure)) {
        availability.suspect();
      }
      result.tryFail(failure);
    }
  }
}
