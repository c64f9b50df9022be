package dev.postroom.ops;

import dev.postroom.db.Db;
import dev.postroom.outbox.LaneState;
import dev.postroom.room.Room;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
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
        SELECT id, head, keys_from, kept_from FROM room WHERE no = $1 AND closed_at IS NULL
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
      ), rung AS (
        SELECT first_seq, last_seq,
               max(last_seq) OVER (ORDER BY first_seq, last_seq
                                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
        FROM outbox
        WHERE room_no = $1
      ), bells AS (
        SELECT coalesce(sum(last_seq - first_seq + 1), 0)::bigint AS waiting,
               coalesce(max(last_seq), 0) AS waiting_to,
               count(*) FILTER (WHERE first_seq <= reached) AS overlapping,
               count(*) FILTER (WHERE last_seq > (SELECT head FROM audited)) AS beyond
        FROM rung
      ), ways AS (
        -- A room younger than the sink has its lane from its first bell on.
        SELECT sink.id AS sink, sink.state AS sink_state, coalesce(lane.state, 'idle') AS state,
               coalesce(next_seq, 1) AS next_seq, coalesce(known_seq, 0) AS known_seq,
               (SELECT count(*) FROM dead_letter
                 WHERE sink_no = sink.no AND room_no = $1) AS dead_letters
        FROM audited CROSS JOIN sink
        LEFT JOIN lane ON lane.sink_no = sink.no AND lane.room_no = $1
        WHERE sink.deleted_at IS NULL
          AND (lane.room_no IS NOT NULL OR audited.id LIKE ANY (sink.likes))
        ORDER BY sink.no
      )
      SELECT * FROM audited CROSS JOIN numbers CROSS JOIN keys CROSS JOIN bells
        LEFT JOIN ways ON true
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

  /** One row a sink; without sinks one row. */
  private static @Nullable AuditReport report(Room room, RowSet<Row> rows) {
    if (rows.size() == 0) {
      return null;
    }
    List<AuditReport.Lane> lanes = new ArrayList<>();
    for (Row row : rows) {
      if (row.getString("sink") != null) {
        lanes.add(lane(row));
      }
    }
    return report(room, rows.iterator().next(), lanes);
  }

  private static AuditReport.Lane lane(Row row) {
    long next = row.getLong("next_seq");
    long known = row.getLong("known_seq");
    return new AuditReport.Lane(
        row.getString("sink"),
        LaneState.ofColumn(row.getString("state")).word(),
        !"active".equals(row.getString("sink_state")),
        next,
        known,
        Math.max(0, known - next + 1),
        row.getLong("dead_letters"),
        laneFault(row, next, known));
  }

  private static @Nullable String laneFault(Row row, long next, long known) {
    long head = row.getLong("head");
    if (Math.max(known, row.getLong("waiting_to")) < head) {
      return "does not know of the messages up to the head";
    }
    if (known > head) {
      return "knows of messages beyond the head";
    }
    if (next > known + 1) {
      return "is further than what it knows of";
    }
    if (next > known) {
      return null;
    }
    if (next < row.getLong("kept_from")) {
      return "waits for text that is purged";
    }
    return row.getString("state").equals(LaneState.IDLE.column())
        ? "is at rest with messages still to be handed over"
        : null;
  }

  private static AuditReport report(Room room, Row row, List<AuditReport.Lane> lanes) {
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
            row.getLong("waiting"),
            row.getLong("overlapping"),
            row.getLong("beyond"),
            lanes.stream().filter(lane -> lane.fault() != null).count()),
        lanes,
        new AuditReport.Texts(row.getLong("bare")));
  }
}
