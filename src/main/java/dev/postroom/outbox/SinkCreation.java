package dev.postroom.outbox;

import dev.postroom.db.Db;
import dev.postroom.outbox.Sinks.NewSink;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;

/**
 * Makes one sink.
 *
 * <p>A sink is made together with a lane for every room that it wants, in one transaction during
 * which nobody rings the outbox. So each lane begins exactly where it was told to: what was
 * accepted before is below, and the bell of what comes after is still in the outbox. Accepting
 * waits for none of this.
 *
 * <p>Confined to its one use.
 */
final class SinkCreation {
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** Against those who ring and those who purge, who hold it in ROW SHARE MODE. */
  private static final String HOLD = "LOCK TABLE sink IN EXCLUSIVE MODE";

  private static final String INSERT =
      """
      WITH made AS (
        INSERT INTO sink (id, type, name, rooms, likes, target, format, poison)
        SELECT $1::text, $2::text, $3::text, $4::text[], $5::text[], $6::text, $7::text, $8::text
         WHERE (SELECT count(*) FROM sink WHERE deleted_at IS NULL) < $10::integer
        RETURNING no
      ), sealed AS (
        INSERT INTO sink_secret (sink_no, sealed) SELECT no, $9::bytea FROM made WHERE $9::bytea IS NOT NULL
      )
      SELECT no FROM made
      """;

  /**
   * Below its first number a lane wants nothing; what is kept above it is due at once.
   *
   * <p>A closed room gets no lane. If its bell were still in the outbox, ringing would take it for
   * a room that was made later, and deliver it from its first message: so the bells of closed rooms
   * are rung here, for the sinks that were there before. One statement, so that which rooms are
   * closed is the same for both; a closed room has no bell that is not committed, as closing waits
   * for accepting.
   */
  private static final String INSERT_LANES =
      """
      WITH rung AS MATERIALIZED (
        DELETE FROM outbox
         WHERE no = ANY (ARRAY(SELECT o.no FROM outbox o JOIN room r ON r.no = o.room_no
                                WHERE r.closed_at IS NOT NULL))
        RETURNING room_no, last_seq
      ), %s
      INSERT INTO lane (sink_no, room_no, next_seq, known_seq, state, due_at)
      SELECT $1::integer, no, next_seq, head,
             CASE WHEN next_seq <= head THEN 'ready' ELSE 'idle' END,
             CASE WHEN next_seq <= head THEN statement_timestamp() END
        FROM (SELECT room.no, room.head,
                     greatest(room.kept_from,
                              least(coalesce(asked.seq,
                                             CASE WHEN $3::boolean THEN 1 ELSE room.head + 1 END),
                                    room.head + 1)) AS next_seq
                FROM room
                LEFT JOIN unnest($4::text[], $5::bigint[]) AS asked (id, seq)
                       ON asked.id = room.id
               WHERE room.id LIKE ANY ($2::text[]) AND room.closed_at IS NULL) r
       ORDER BY no
      """
          .formatted(Outbox.tell("AND sink.no <> $1::integer"));

  private final NewSink sink;
  private final int most;

  SinkCreation(NewSink sink, int most) {
    this.sink = sink;
    this.most = most;
  }

  /** False if there are as many sinks as may be. */
  Future<Boolean> in(Db db) {
    return db.withConnection(LONGEST, this::in);
  }

  private Future<Boolean> in(SqlConnection connection) {
    return connection
        .query("BEGIN; SET LOCAL statement_timeout = '110s'; SET LOCAL lock_timeout = '10s'")
        .execute()
        .compose(begun -> connection.query(HOLD).execute())
        .compose(held -> insert(connection))
        .compose(made -> connection.query("COMMIT").execute().map(made))
        .recover(
            failure ->
                connection
                    .query("ROLLBACK")
                    .execute()
                    .transform(ended -> Future.failedFuture(failure)));
  }

  private Future<Boolean> insert(SqlConnection connection) {
    return connection
        .preparedQuery(INSERT)
        .execute(
            Tuple.tuple()
                .addString(sink.id())
                .addString(sink.type())
                .addString(sink.name())
                .addArrayOfString(sink.rooms().toArray(String[]::new))
                .addArrayOfString(Sinks.likes(sink.rooms()))
                .addString(sink.target())
                .addString(Sinks.word(sink.format()))
                .addString(Sinks.word(sink.poison()))
                .addBuffer(sink.sealed() == null ? null : Buffer.buffer(sink.sealed()))
                .addInteger(most))
        .compose(
            (RowSet<Row> made) ->
                made.size() == 0
                    ? Future.succeededFuture(false)
                    : lanes(connection, made.iterator().next().getInteger(0)));
  }

  private Future<Boolean> lanes(SqlConnection connection, int no) {
    return connection
        .preparedQuery(INSERT_LANES)
        .execute(
            Tuple.tuple()
                .addInteger(no)
                .addArrayOfString(Sinks.likes(sink.rooms()))
                .addBoolean(sink.fromBeginning())
                .addArrayOfString(sink.starts().keySet().toArray(String[]::new))
                .addArrayOfLong(sink.starts().values().toArray(Long[]::new)))
        .map(true);
  }
}
