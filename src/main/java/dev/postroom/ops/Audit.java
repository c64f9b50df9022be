package dev.postroom.ops;

import dev.postroom.db.Db;
import dev.postroom.room.Room;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Proves a room from its tables (S5).
 *
 * <p>One statement, hence one moment, also while the room is written to. Everything is counted
 * inside PostgreSQL in scans that need no more than {@code work_mem}, so the size of the room costs
 * time only. Safe for any thread.
 */
@ApplicationScoped
public class Audit {
  /** Beyond the statement's own limit, so that the database ends it and says so. */
  private static final Duration MARGIN = Duration.ofSeconds(3);

  private static final String COUNT =
      """
      WITH audited AS MATERIALIZED (
        SELECT head, keys_from, kept_from FROM room WHERE no = $1 AND closed_at IS NULL
      ), numbered AS (
        SELECT seq, text IS NULL AS bare,
               lag(seq, 1, (SELECT keys_from - 1 FROM audited)) OVER (ORDER BY seq) AS previous
        FROM message
        WHERE room_no = $1 AND seq >= (SELECT keys_from FROM audited)
      ), numbers AS (
        SELECT count(*) AS messages,
               max(seq) AS highest,
               coalesce(sum(seq - previous - 1) FILTER (WHERE seq > previous), 0)::bigint AS holes,
               min(previous + 1) FILTER (WHERE seq - previous > 1) AS first_hole,
               count(*) FILTER (WHERE seq = previous) AS repeated,
               count(*) FILTER (WHERE seq > (SELECT head FROM audited)) AS beyond_head,
               count(*) FILTER (WHERE bare AND seq >= (SELECT kept_from FROM audited)) AS bare
        FROM numbered
      ), keys AS (
        SELECT count(*) AS repeated_keys
        FROM (SELECT FROM message
              WHERE room_no = $1
              GROUP BY participant, client_message_id
              HAVING count(*) > 1) AS twice
      ), handover AS (
        -- A purge takes the records away together with the text.
        SELECT count(*) FILTER (WHERE o.seq IS NULL AND m.seq >= kept_from) AS unrecorded,
               min(m.seq) FILTER (WHERE o.seq IS NULL AND m.seq >= kept_from) AS first_unrecorded,
               count(*) FILTER (WHERE m.seq IS NULL) AS stray
        FROM (SELECT seq FROM message
              WHERE room_no = $1 AND seq >= (SELECT keys_from FROM audited)) AS m
        FULL JOIN (SELECT seq FROM outbox
                   WHERE room_no = $1 AND seq >= (SELECT keys_from FROM audited)) AS o
          ON o.seq = m.seq
        CROSS JOIN audited
      )
      SELECT * FROM audited, numbers, keys, handover
      """;

  private final Db db;
  private final Duration limit;
  private final Semaphore free;

  Audit(Db db, OpsConfig config) {
    this.db = db;
    this.limit = config.auditDeadline();
    this.free = new Semaphore(config.auditsAtOnce());
  }

  /**
   * The report on an open room, or null if it was closed meanwhile.
   *
   * <p>Fails with {@link AuditsBusy} when as many run as may, otherwise as {@link Db} fails; a room
   * too large for the limit ends as a cancelled statement.
   */
  public Uni<@Nullable AuditReport> of(Room room) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              if (!free.tryAcquire()) {
                emitter.fail(new AuditsBusy());
                return;
              }
              db.withConnection(limit.plus(MARGIN), connection -> count(connection, room.no()))
                  .map(rows -> report(room, rows))
                  .onComplete(
                      done -> {
                        free.release();
                        if (done.succeeded()) {
                          emitter.complete(done.result());
                        } else {
                          emitter.fail(done.cause());
                        }
                      });
            });
  }

  /** The connection's usual limit is for statements of the hot path; this one brings its own. */
  private Future<RowSet<Row>> count(SqlConnection connection, long no) {
    Future<?> begun = connection.query("BEGIN READ ONLY").execute();
    Future<?> limited =
        connection.query("SET LOCAL statement_timeout = " + limit.toMillis()).execute();
    Future<RowSet<Row>> counted = connection.preparedQuery(COUNT).execute(Tuple.of(no));
    Future<?> ended = connection.query("COMMIT").execute();
    // join, not all: the connection must be quiet before it goes back.
    return Future.join(List.of(begun, limited, counted, ended)).transform(done -> counted);
  }

  private static @Nullable AuditReport report(Room room, RowSet<Row> rows) {
    return rows.size() == 0 ? null : report(room, rows.iterator().next());
  }

  private static AuditReport report(Room room, Row row) {
    long head = row.getLong("head");
    long keysFrom = row.getLong("keys_from");
    Long highest = row.getLong("highest");
    long last = highest == null ? keysFrom - 1 : highest;
    long tail = Math.max(0, head - last);
    Long firstHole = row.getLong("first_hole");
    Long firstMissing = firstHole == null && tail > 0 ? Long.valueOf(last + 1) : firstHole;
    return new AuditReport(
        room.id().value(),
        room.epoch(),
        head,
        keysFrom,
        row.getLong("kept_from"),
        row.getLong("messages"),
        new AuditReport.Numbers(
            row.getLong("holes") + tail,
            firstMissing,
            row.getLong("repeated"),
            row.getLong("beyond_head")),
        new AuditReport.Keys(row.getLong("repeated_keys")),
        new AuditReport.Outbox(
            row.getLong("unrecorded"), row.getLong("first_unrecorded"), row.getLong("stray")),
        new AuditReport.Texts(row.getLong("bare")));
  }
}
