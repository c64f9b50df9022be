package dev.postroom.outbox;

import dev.postroom.db.Db;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands is taken up again: parked lanes, dead letters.
 *
 * <p>Each call is one transaction under the lock of its lanes, and does something only if the lane
 * is still as it must be: of two who ask for the same, the second is told that it is done already.
 * Works on paused sinks too; what is taken up leaves when they are resumed. Safe for any thread.
 */
@ApplicationScoped
public class Redrive {
  private static final int SLICE = 1_000;

  /** What follows sees all that was committed before. */
  private static final String HOLD =
      "SELECT state FROM lane WHERE sink_no = $1 AND room_no = $2 FOR UPDATE";

  /** Nobody who had the lane before may say that it failed: the token is another one. */
  private static final String AFRESH =
      """
      state = 'ready', due_at = statement_timestamp(), token = token + 1,
      tries = 0, event_faults = 0, failing_since = NULL, last_error = NULL""";

  private static final String LANE =
      """
      WITH done AS (
        UPDATE lane SET %s
         WHERE sink_no = $1 AND room_no = $2 AND state = 'parked'
        RETURNING 1
      )
      SELECT next_seq, EXISTS (SELECT 1 FROM done) AS done, true AS fits
        FROM lane WHERE sink_no = $1 AND room_no = $2
      """
          .formatted(AFRESH);

  /** One that is not behind its lane yet leaves in its turn; the relay sees to both. */
  private static final String LETTER =
      """
      WITH done AS (
        UPDATE dead_letter SET state = 'redriving'
         WHERE sink_no = $1 AND room_no = $2 AND seq = $3 AND state = 'dead'
        RETURNING seq
      ), waiting AS (
        UPDATE lane SET late = late + 1, %s
          FROM done
         WHERE sink_no = $1 AND room_no = $2
           AND (state = 'idle' OR (state = 'parked' AND next_seq <= done.seq))
      ), standing AS (
        UPDATE lane SET late = late + 1
          FROM done
         WHERE sink_no = $1 AND room_no = $2
           AND NOT (state = 'idle' OR (state = 'parked' AND next_seq <= done.seq))
      )
      SELECT next_seq, EXISTS (SELECT 1 FROM done) AS done, true AS fits
        FROM lane
       WHERE sink_no = $1 AND room_no = $2
         AND (next_seq > $3 OR EXISTS (SELECT 1 FROM dead_letter
                                        WHERE sink_no = $1 AND room_no = $2 AND seq = $3))
      """
          .formatted(AFRESH);

  /** The number is the lane's head, or a dead letter that is to be sent once the lane goes on. */
  private static final String SKIP =
      """
      WITH held AS MATERIALIZED (
        SELECT state = 'parked' AS parked, next_seq, known_seq, failing_since, last_error
          FROM lane WHERE sink_no = $1 AND room_no = $2
      ), again AS (
        UPDATE dead_letter SET state = 'dead', reason = coalesce(held.last_error, reason)
          FROM held
         WHERE sink_no = $1 AND room_no = $2 AND seq = $3 AND state = 'redriving'
           AND parked AND seq <= next_seq
        RETURNING seq
      ), made AS (
        INSERT INTO dead_letter (sink_no, room_no, seq, reason, first_failed_at)
        SELECT $1::integer, $2::bigint, $3::bigint, coalesce(last_error, ''),
               coalesce(failing_since, statement_timestamp())
          FROM held
         WHERE parked AND next_seq = $3 AND next_seq <= known_seq
        ON CONFLICT DO NOTHING
      ), done AS (
        UPDATE lane SET late = late - (SELECT count(*) FROM again)::integer, %s
          FROM held
         WHERE sink_no = $1 AND room_no = $2 AND parked
           AND ((held.next_seq = $3 AND held.next_seq <= held.known_seq)
                OR EXISTS (SELECT 1 FROM again))
        RETURNING 1
      )
      SELECT next_seq, EXISTS (SELECT 1 FROM done) AS done, NOT parked AS fits
        FROM held
      """
          .formatted(AFRESH);

  private static final String COUNT =
      """
      SELECT count(*) AS lanes FROM lane JOIN room ON room.no = lane.room_no
       WHERE lane.sink_no = $1 AND lane.state = 'parked' AND room.id LIKE ANY ($2)
      """;

  private static final String LANES =
      """
      WITH picked AS MATERIALIZED (
        SELECT lane.room_no FROM lane JOIN room ON room.no = lane.room_no
         WHERE lane.sink_no = $1 AND lane.state = 'parked' AND room.id LIKE ANY ($2)
           AND lane.room_no > $3
         ORDER BY lane.room_no LIMIT $4
           FOR UPDATE OF lane
      ), done AS (
        UPDATE lane SET %s
         WHERE sink_no = $1 AND room_no = ANY (ARRAY(SELECT room_no FROM picked))
        RETURNING room_no
      )
      SELECT count(*) AS lanes, max(room_no) AS last FROM done
      """
          .formatted(AFRESH);

  private final Db db;
  private final Relay relay;

  Redrive(Db db, Relay relay) {
    this.db = db;
    this.relay = relay;
  }

  /** A parked lane goes on where it stood, what follows its head in order behind it. */
  public Uni<Answer> lane(int sinkNo, long roomNo) {
    return held(LANE, Tuple.of(sinkNo, roomNo), sinkNo, roomNo);
  }

  /**
   * A dead letter is sent: out of its turn if its lane is further, otherwise in its turn, and then
   * a lane that is parked at it goes on.
   */
  public Uni<Answer> deadLetter(int sinkNo, long roomNo, long seq) {
    return held(LETTER, Tuple.of(sinkNo, roomNo, seq), sinkNo, roomNo);
  }

  /**
   * A parked lane goes on without {@code seq}, which is the head of the lane or a dead letter that
   * waits there to be sent once more. It is a dead letter then, and a gap has or takes its place.
   */
  public Uni<Answer> skip(int sinkNo, long roomNo, long seq) {
    return held(SKIP, Tuple.of(sinkNo, roomNo, seq), sinkNo, roomNo);
  }

  /** How many lanes {@link #lanes} would take up now. */
  public Uni<Long> count(int sinkNo, List<String> rooms) {
    return db.one(
        COUNT, Tuple.of(sinkNo, (Object) Sinks.likes(rooms)), row -> row.getLong("lanes"));
  }

  /**
   * All parked lanes of a sink whose rooms match, slice by slice; those that are parked meanwhile
   * may be left.
   *
   * @return how many were taken up
   */
  public Uni<Long> lanes(int sinkNo, List<String> rooms) {
    return slices(sinkNo, Sinks.likes(rooms), 0, 0);
  }

  private Uni<Long> slices(int sinkNo, String[] likes, long after, long before) {
    return Futures.uni(
            db.transaction(new Db.Statement(LANES, Tuple.of(sinkNo, likes, after, SLICE))))
        .map(rows -> rows.iterator().next())
        .chain(
            row -> {
              relay.changed();
              long done = before + row.getLong("lanes");
              return row.getLong("lanes") < SLICE
                  ? Uni.createFrom().item(done)
                  : slices(sinkNo, likes, row.getLong("last"), done);
            });
  }

  private Uni<Answer> held(String sql, Tuple arguments, int sinkNo, long roomNo) {
    return Futures.uni(
            db.transaction(
                new Db.Statement(HOLD, Tuple.of(sinkNo, roomNo)), new Db.Statement(sql, arguments)))
        .map(rows -> rows.size() == 0 ? null : rows.iterator().next())
        .map(Redrive::answer)
        .invoke(
            answer -> {
              if (answer.result() == Result.DONE) {
                relay.changed();
              }
            });
  }

  private static Answer answer(@Nullable Row row) {
    if (row == null) {
      return new Answer(Result.NONE, null);
    }
    Result result =
        row.getBoolean("done")
            ? Result.DONE
            : row.getBoolean("fits") ? Result.ALREADY : Result.OTHER;
    return new Answer(result, row.getLong("next_seq"));
  }

  /** What became of a wish. */
  public enum Result {
    /** Done now. */
    DONE,
    /** It was not standing any more: somebody else was first, or nothing was wrong. */
    ALREADY,
    /** The lane stands at another number. */
    OTHER,
    /** There is no such lane or dead letter. */
    NONE
  }

  /**
   * @param nextSeq the number at which the lane stands, or null if there is none
   */
  public record Answer(Result result, @Nullable Long nextSeq) {}
}
