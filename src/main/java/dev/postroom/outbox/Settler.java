package dev.postroom.outbox;

import dev.postroom.db.Db;
import dev.postroom.db.Faults;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Writes what became of deliveries: the one statement that marks (H2).
 *
 * <p>A number only moves up, and only over events that were positively answered, so whoever writes
 * that may be late or have lost its lease; but not if the database has become another one since the
 * claim (R4): its numbers may have been given to other messages. Everything else is written by the
 * holder of the newest token alone. One statement is under way at a time; what comes meanwhile goes
 * together with the next, so marking costs less the more there is. What cannot be written is
 * forgotten: the lease runs out, and the event is handed over once more. A lane that somebody keeps
 * locked delays the others once by the lock's deadline, and is forgotten alone.
 *
 * <p>Safe for any thread.
 */
@ApplicationScoped
class Settler {
  private static final Logger LOG = Logger.getLogger(Settler.class);
  private static final int MOST = 500;
  private static final int DEADLOCK_TRIES = 3;

  private static final String STATEMENT =
      """
      WITH input AS MATERIALIZED (
        SELECT *, lineage = (SELECT max(no) FROM lineage) AS of_now
          FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
                      $6::text[], $7::float8[], $8::integer[], $9::integer[], $10::text[],
                      $11::bigint[], $15::integer[])
            AS i (sink_no, room_no, token, from_seq, to_seq,
                  what, pause, charged, event_fault, reason, skip_seq, lineage)
      ), held AS MATERIALIZED (
        SELECT lane.sink_no, lane.room_no, lane.token = i.token AS mine, lane.failing_since,
               i.of_now AS valid,
               CASE WHEN i.of_now AND i.to_seq > lane.next_seq AND i.from_seq <= lane.next_seq
                    THEN i.to_seq ELSE lane.next_seq END AS new_next
          FROM input i
          JOIN lane ON lane.sink_no = i.sink_no AND lane.room_no = i.room_no
         ORDER BY lane.sink_no, lane.room_no
           FOR UPDATE OF lane %s
      ), skipped AS (
        INSERT INTO dead_letter (sink_no, room_no, seq, reason, first_failed_at)
        SELECT sink_no, room_no, skip_seq, reason, coalesce(failing_since, statement_timestamp())
          FROM input JOIN held USING (sink_no, room_no)
         WHERE mine AND valid AND what = 'skip'
        ON CONFLICT DO NOTHING
      ), sent AS MATERIALIZED (
        SELECT s.* FROM unnest($12::integer[], $13::bigint[], $14::bigint[])
                     AS s (sink_no, room_no, seq)
          JOIN held USING (sink_no, room_no) WHERE held.valid
      ), gone AS (
        DELETE FROM dead_letter USING sent
         WHERE dead_letter.sink_no = sent.sink_no AND dead_letter.room_no = sent.room_no
           AND dead_letter.seq = sent.seq AND dead_letter.state = 'redriving'
        RETURNING dead_letter.sink_no, dead_letter.room_no
      ), back AS (
        UPDATE dead_letter SET state = 'dead', reason = i.reason
          FROM input i JOIN held USING (sink_no, room_no)
         WHERE mine AND valid AND what = 'back' AND dead_letter.sink_no = i.sink_no
           AND dead_letter.room_no = i.room_no AND dead_letter.seq = i.skip_seq
           AND dead_letter.state = 'redriving'
        RETURNING dead_letter.sink_no, dead_letter.room_no
      ), late_ended AS MATERIALIZED (
        SELECT sink_no, room_no, count(*)::integer AS letters
          FROM (SELECT * FROM gone UNION ALL SELECT * FROM back) l GROUP BY 1, 2
      ), fate AS MATERIALIZED (
        SELECT i.*, held.mine, held.new_next, CASE WHEN NOT held.mine THEN 'keep'
                    WHEN held.valid OR i.what = 'keep' THEN i.what
                    ELSE 'release' END AS fate,
               held.mine AND held.valid AS counts,
               held.valid AND i.to_seq > i.from_seq
                 OR EXISTS (SELECT 1 FROM gone
                             WHERE gone.sink_no = i.sink_no AND gone.room_no = i.room_no) AS moved,
               coalesce(late_ended.letters, 0) AS late_done
          FROM input i JOIN held USING (sink_no, room_no)
          LEFT JOIN late_ended USING (sink_no, room_no)
      )
      UPDATE lane
         SET next_seq = new_next,
             late = greatest(lane.late - late_done, 0),
             state = CASE fate.fate
                       WHEN 'keep' THEN lane.state
                       WHEN 'wait' THEN 'backoff'
                       WHEN 'park' THEN 'parked'
                       WHEN 'skip' THEN 'ready'
                       ELSE CASE WHEN new_next <= lane.known_seq
                                   OR lane.late > late_done
                                 THEN 'ready' ELSE 'idle' END END,
             due_at = CASE fate.fate
                        WHEN 'keep' THEN lane.due_at
                        WHEN 'wait' THEN statement_timestamp() + make_interval(secs => pause)
                        WHEN 'park' THEN NULL
                        WHEN 'skip' THEN statement_timestamp()
                        ELSE CASE WHEN new_next <= lane.known_seq
                                    OR lane.late > late_done
                                  THEN statement_timestamp() END END,
             tries = CASE WHEN fate.fate = 'skip' THEN 0
                          WHEN mine AND moved THEN charged ELSE lane.tries
                            + CASE WHEN counts THEN charged ELSE 0 END END,
             event_faults = CASE WHEN fate.fate = 'skip' THEN 0
                                 WHEN mine AND moved THEN event_fault ELSE lane.event_faults
                                   + CASE WHEN counts THEN event_fault ELSE 0 END END,
             failing_since = CASE
                       WHEN fate.fate IN ('wait', 'park')
                       THEN coalesce(CASE WHEN moved THEN NULL ELSE lane.failing_since END,
                                     statement_timestamp())
                       WHEN mine AND (moved OR fate.fate = 'skip') THEN NULL
                       ELSE lane.failing_since END,
             last_error = CASE WHEN fate.fate IN ('wait', 'park') THEN fate.reason
                               WHEN mine AND (moved OR fate.fate = 'skip') THEN NULL
                               ELSE lane.last_error END
        FROM fate
       WHERE lane.sink_no = fate.sink_no AND lane.room_no = fate.room_no
      RETURNING lane.sink_no, lane.room_no, mine
      """;

  private static final String SETTLE = STATEMENT.formatted("");

  /** Leaves out lanes that somebody has locked. */
  private static final String SETTLE_UNLOCKED = STATEMENT.formatted("SKIP LOCKED");

  private final Db db;
  private final RelayMetrics metrics;
  private Map<Lease, Waiting> queue = new LinkedHashMap<>();
  private boolean writing;

  Settler(Db db, RelayMetrics metrics) {
    this.db = db;
    this.metrics = metrics;
  }

  /**
   * Has it written soon.
   *
   * @return whether the lane was still this node's; fails if nothing is known to be written
   */
  Future<Boolean> settle(Settlement settlement) {
    Promise<Boolean> promise = Promise.promise();
    synchronized (this) {
      Lease lease = new Lease(settlement.key(), settlement.token());
      Waiting earlier = queue.get(lease);
      Waiting waiting =
          earlier == null
              ? new Waiting(settlement, List.of(promise))
              : new Waiting(settlement.after(earlier.settlement), plus(earlier.promises, promise));
      queue.put(lease, waiting);
    }
    write();
    return promise.future();
  }

  synchronized int backlog() {
    return queue.size();
  }

  private void write() {
    List<Waiting> batch;
    synchronized (this) {
      if (writing || queue.isEmpty()) {
        return;
      }
      writing = true;
      batch = take();
    }
    attempt(batch, 1)
        .onComplete(
            done -> {
              synchronized (this) {
                writing = false;
              }
              if (done.succeeded()) {
                answer(batch, done.result());
              } else {
                lost(batch, done.cause());
              }
              write();
            });
  }

  /**
   * Sorted as all locks are. What is over the bound waits, and what another lease left of a lane.
   */
  private List<Waiting> take() {
    Map<Claim.Key, Waiting> taken = new TreeMap<>();
    Map<Lease, Waiting> rest = new LinkedHashMap<>();
    queue.forEach(
        (lease, waiting) -> {
          if (taken.size() >= MOST || taken.putIfAbsent(lease.lane(), waiting) != null) {
            rest.put(lease, waiting);
          }
        });
    queue = rest;
    return new ArrayList<>(taken.values());
  }

  private Future<Written> attempt(List<Waiting> batch, int number) {
    return run(SETTLE, batch)
        .map(mine -> new Written(mine, null))
        .recover(
            failure -> {
              String state = Faults.sqlState(failure);
              if (number < DEADLOCK_TRIES && "40P01".equals(state)) {
                return attempt(batch, number + 1);
              }
              // One lane that a standing node or an operator has locked is no reason to forget all.
              return "55P03".equals(state)
                  ? run(SETTLE_UNLOCKED, batch).map(mine -> new Written(mine, failure))
                  : Future.failedFuture(failure);
            });
  }

  private Future<Map<Claim.Key, Boolean>> run(String sql, List<Waiting> batch) {
    SettlementColumns columns = new SettlementColumns();
    batch.forEach(waiting -> columns.add(waiting.settlement));
    return db.transaction(new Db.Statement(sql, columns.tuple()))
        .map(
            rows -> {
              Map<Claim.Key, Boolean> mine = new HashMap<>();
              for (Row row : rows) {
                mine.put(
                    new Claim.Key(row.getInteger("sink_no"), row.getLong("room_no")),
                    row.getBoolean("mine"));
              }
              return mine;
            });
  }

  private void answer(List<Waiting> batch, Written written) {
    List<Waiting> answered = new ArrayList<>(batch);
    if (written.locked != null) {
      List<Waiting> locked = batch.stream().filter(waiting -> !written.has(waiting)).toList();
      answered.removeAll(locked);
      lost(locked, written.locked);
    }
    for (Waiting waiting : answered) {
      // A lane that is gone belonged to a sink that was deleted.
      boolean mine = written.mine.getOrDefault(waiting.settlement.key(), false);
      if (!mine) {
        metrics.fenced();
      }
      waiting.promises.forEach(promise -> promise.complete(mine));
    }
  }

  private void lost(List<Waiting> batch, Throwable failure) {
    if (batch.isEmpty()) {
      return;
    }
    LOG.warnf("Marks were not written, %d lanes: %s", batch.size(), failure);
    metrics.settleLost(batch.size());
    batch.forEach(w -> w.promises.forEach(p -> p.fail(failure)));
  }

  private static <T> List<T> plus(List<T> list, T item) {
    List<T> longer = new ArrayList<>(list);
    longer.add(item);
    return longer;
  }

  /** What is written together: of another lease of the same lane the outcome is another. */
  private record Lease(Claim.Key lane, long token) {}

  /** Whose the lanes were; with {@code locked} those that are missing were not written. */
  private record Written(Map<Claim.Key, Boolean> mine, @Nullable Throwable locked) {
    boolean has(Waiting waiting) {
      return mine.containsKey(waiting.settlement.key());
    }
  }

  private record Waiting(Settlement settlement, List<Promise<Boolean>> promises) {}
}
