package dev.postroom.outbox;

import dev.postroom.db.Db;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The outbox: looked at, and rung into the lanes.
 *
 * <p>A row leaves in the transaction that tells the lanes, so it is either still there or in them.
 * A lane that does not exist yet belongs to a room that is younger than the sink, and begins with
 * the first message; that is so because sinks are made while nobody rings, and after the last bell
 * of every closed room (see {@link SinkCreation}). Safe for any thread and any number of nodes.
 */
@ApplicationScoped
class Outbox {
  static final int ROWS = 1_000;

  static final String LOOK =
      """
      SELECT ARRAY(SELECT changed FROM sink WHERE deleted_at IS NULL ORDER BY no) AS changed,
             (SELECT max(no) FROM (SELECT no FROM outbox WHERE no > $1 ORDER BY no LIMIT 1) o) AS rung,
             ARRAY(SELECT sink.no FROM sink
                    WHERE state = 'active' AND deleted_at IS NULL
                      AND EXISTS (SELECT 1 FROM lane
                                   WHERE sink_no = sink.no AND due_at <= statement_timestamp()
                                     AND due_at >= statement_timestamp()
                                                   - make_interval(secs => $2::float8)
                                  -- Or it is joined, without the index's first column.
                                  OFFSET 0))
               AS due
      """;

  private static final String HOLD_SINKS = "LOCK TABLE sink IN ROW SHARE MODE";

  private static final String RING =
      """
      WITH rung AS MATERIALIZED (
        DELETE FROM outbox
         WHERE no = ANY (ARRAY(SELECT no FROM outbox
                                WHERE no > $1 ORDER BY no LIMIT $2 FOR UPDATE SKIP LOCKED))
        RETURNING no, room_no, last_seq
      ), %s
      SELECT (SELECT count(*) FROM rung) AS taken,
             (SELECT max(no) FROM rung) AS highest,
             ARRAY(SELECT DISTINCT sink_no FROM told) AS sinks
      """
          .formatted(tell(""));

  private final Db db;

  Outbox(Db db) {
    this.db = db;
  }

  /**
   * What a statement goes on with that has taken {@code rung} out of the outbox: the lanes are
   * told.
   *
   * @param which of the sinks, as more of a condition
   */
  static String tell(String which) {
    return """
      heads AS MATERIALIZED (
        SELECT room_no, max(last_seq) AS known FROM rung GROUP BY room_no
      ), wanted AS MATERIALIZED (
        SELECT sink.no AS sink_no, heads.room_no, heads.known
          FROM heads
         CROSS JOIN LATERAL (SELECT id FROM room WHERE no = heads.room_no LIMIT 1) r
          JOIN sink ON r.id LIKE ANY (sink.likes) AND sink.deleted_at IS NULL %s
      ), told AS (
        INSERT INTO lane (sink_no, room_no, next_seq, known_seq, state, due_at)
        SELECT sink_no, room_no, 1, known, 'ready', statement_timestamp()
          FROM wanted ORDER BY sink_no, room_no
        ON CONFLICT (sink_no, room_no) DO UPDATE
           SET known_seq = greatest(lane.known_seq, excluded.known_seq),
               state = CASE lane.state WHEN 'idle' THEN 'ready' ELSE lane.state END,
               due_at = CASE lane.state WHEN 'idle' THEN excluded.due_at ELSE lane.due_at END
        RETURNING sink_no
      )
      """
        .formatted(which);
  }

  /**
   * One look at everything that may want work, by one query.
   *
   * @param above outbox rows up to this number are not looked at
   * @param seconds lanes that became due longer ago are not looked at
   */
  Future<Look> look(long above, double seconds) {
    return Futures.of(
        db.one(
            LOOK,
            Tuple.of(above, seconds),
            row ->
                new Look(
                    List.of(row.getArrayOfLongs("changed")),
                    row.getLong("rung") != null,
                    Set.of(row.getArrayOfIntegers("due")))));
  }

  /** Takes up to {@value #ROWS} rows out of the outbox and into the lanes. */
  Future<Rung> ring(long above) {
    return db.transaction(
            new Db.Statement(HOLD_SINKS, Tuple.tuple()),
            new Db.Statement(RING, Tuple.of(above, ROWS)))
        .map(rows -> rung(rows.iterator().next()));
  }

  private static Rung rung(Row row) {
    return new Rung(
        row.getLong("taken").intValue(),
        orZero(row.getLong("highest")),
        Set.of(row.getArrayOfIntegers("sinks")));
  }

  private static long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }

  /**
   * @param changed the last change of each sink. Their highest would not do: what has a lower
   *     number may commit later
   * @param ringing whether there are rows to ring
   * @param due the sinks with lanes to claim
   */
  record Look(List<Long> changed, boolean ringing, Set<Integer> due) {}

  /**
   * @param taken how many rows
   * @param highest their highest number, 0 if none
   * @param sinks whose lanes have something new
   */
  record Rung(int taken, long highest, Set<Integer> sinks) {}
}
