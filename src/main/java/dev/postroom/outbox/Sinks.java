package dev.postroom.outbox;

import dev.postroom.db.Db;
import dev.postroom.outbox.SinkRow.Format;
import dev.postroom.outbox.SinkRow.Poison;
import dev.postroom.outbox.SinkRow.Secret;
import dev.postroom.outbox.SinkRow.State;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sinks that there are. Safe for any thread.
 *
 * <p>A sink is made together with a lane for every room that it wants, in one transaction during
 * which nobody rings the outbox. So each lane begins exactly where it was told to: what was
 * accepted before is below, and the bell of what comes after is still in the outbox. Accepting
 * waits for none of this.
 */
@ApplicationScoped
public class Sinks {
  private static final Duration LONGEST_CREATION = Duration.ofMinutes(2);

  private static final String SELECT =
      """
      SELECT sink.*,
             ARRAY(SELECT sealed FROM sink_secret
                    WHERE sink_no = sink.no
                      AND (expires_at IS NULL OR expires_at > statement_timestamp())
                    ORDER BY no DESC) AS sealed,
             ARRAY(SELECT coalesce(expires_at, 'infinity') FROM sink_secret
                    WHERE sink_no = sink.no
                      AND (expires_at IS NULL OR expires_at > statement_timestamp())
                    ORDER BY no DESC) AS expiries
        FROM sink WHERE deleted_at IS NULL
      """;

  private static final String ALL = SELECT + " ORDER BY no";
  private static final String ONE = SELECT + " AND id = $1";

  private static final String HOLD = "LOCK TABLE sink IN SHARE ROW EXCLUSIVE MODE";

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

  /** Below its first number a lane wants nothing; what is kept above it is due at once. */
  private static final String INSERT_LANES =
      """
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
      """;

  private static final String CHANGE =
      "UPDATE sink SET %s, changed = nextval('sink_change') WHERE no = $1 AND deleted_at IS NULL";

  private static final String STATE = CHANGE.formatted("state = $2, reason = $3");
  private static final String DELETE = CHANGE.formatted("deleted_at = statement_timestamp()");

  private static final String ROTATE =
      """
      WITH old AS (
        UPDATE sink_secret
           SET expires_at = statement_timestamp() + make_interval(secs => $3::float8)
         WHERE sink_no = $1 AND expires_at IS NULL
      ), fresh AS (
        INSERT INTO sink_secret (sink_no, sealed) SELECT $1::integer, $2::bytea
      ), stale AS (
        DELETE FROM sink_secret WHERE sink_no = $1 AND expires_at <= statement_timestamp()
      )
      UPDATE sink SET changed = nextval('sink_change') WHERE no = $1 AND deleted_at IS NULL
      """;

  /** What a deleted sink leaves behind goes in slices. */
  private static final String SWEEP_DELETED =
      """
      WITH gone AS MATERIALIZED (
        SELECT no FROM sink WHERE deleted_at IS NOT NULL ORDER BY no LIMIT 1
      ), lanes AS (
        DELETE FROM lane USING gone
         WHERE sink_no = gone.no
           AND room_no = ANY (ARRAY(SELECT room_no FROM lane
                                     WHERE sink_no = (SELECT no FROM gone) LIMIT 5000))
        RETURNING room_no
      ), letters AS (
        DELETE FROM dead_letter USING gone
         WHERE sink_no = gone.no
           AND (room_no, seq) IN (SELECT room_no, seq FROM dead_letter
                                   WHERE sink_no = (SELECT no FROM gone) LIMIT 5000)
        RETURNING seq
      ), row AS (
        DELETE FROM sink USING gone
         WHERE sink.no = gone.no
           AND NOT EXISTS (SELECT 1 FROM lane WHERE sink_no = gone.no)
           AND NOT EXISTS (SELECT 1 FROM dead_letter WHERE sink_no = gone.no)
        RETURNING sink.no
      )
      SELECT (SELECT count(*) FROM lanes) + (SELECT count(*) FROM letters)
             + (SELECT count(*) FROM row) AS touched
      """;

  private final Db db;
  private final RelayConfig config;

  Sinks(Db db, RelayConfig config) {
    this.db = db;
    this.config = config;
  }

  /** Those that are not deleted, the oldest first. */
  public Uni<List<SinkRow>> all() {
    return db.many(ALL, Tuple.tuple(), Sinks::read);
  }

  /** Null if there is none of that name. */
  public Uni<@Nullable SinkRow> find(String id) {
    return db.one(ONE, Tuple.of(id), Sinks::read);
  }

  /**
   * Makes a sink and its lanes.
   *
   * @return whether it was made; false if there are as many as may be
   */
  public Uni<Boolean> create(NewSink sink) {
    return Futures.uni(db.withConnection(LONGEST_CREATION, connection -> create(connection, sink)));
  }

  private Future<Boolean> create(SqlConnection connection, NewSink sink) {
    return connection
        .query("BEGIN; SET LOCAL statement_timeout = '110s'; SET LOCAL lock_timeout = '10s'")
        .execute()
        .compose(begun -> connection.query(HOLD).execute())
        .compose(held -> insert(connection, sink))
        .compose(made -> connection.query("COMMIT").execute().map(made))
        .recover(
            failure ->
                connection
                    .query("ROLLBACK")
                    .execute()
                    .transform(ended -> Future.failedFuture(failure)));
  }

  private Future<Boolean> insert(SqlConnection connection, NewSink sink) {
    return connection
        .preparedQuery(INSERT)
        .execute(
            Tuple.tuple()
                .addString(sink.id)
                .addString(sink.type)
                .addString(sink.name)
                .addArrayOfString(sink.rooms.toArray(String[]::new))
                .addArrayOfString(likes(sink.rooms))
                .addString(sink.target)
                .addString(word(sink.format))
                .addString(word(sink.poison))
                .addBuffer(sink.sealed == null ? null : Buffer.buffer(sink.sealed))
                .addInteger(config.sinks()))
        .compose(
            (RowSet<Row> made) ->
                made.size() == 0
                    ? Future.succeededFuture(false)
                    : lanes(connection, made.iterator().next().getInteger(0), sink));
  }

  private static Future<Boolean> lanes(SqlConnection connection, int no, NewSink sink) {
    return connection
        .preparedQuery(INSERT_LANES)
        .execute(
            Tuple.tuple()
                .addInteger(no)
                .addArrayOfString(likes(sink.rooms))
                .addBoolean(sink.fromBeginning)
                .addArrayOfString(sink.starts.keySet().toArray(String[]::new))
                .addArrayOfLong(sink.starts.values().toArray(Long[]::new)))
        .map(true);
  }

  /** Whether there was such a sink. */
  public Uni<Boolean> pause(int no) {
    return run(STATE, Tuple.of(no, word(State.PAUSED), null));
  }

  /** Whether there was such a sink. */
  public Uni<Boolean> resume(int no) {
    return run(STATE, Tuple.of(no, word(State.ACTIVE), null));
  }

  Uni<Boolean> disable(int no, String reason) {
    return run(STATE, Tuple.of(no, word(State.DISABLED), reason));
  }

  /** Whether there was such a sink. Its lanes and dead letters go little by little. */
  public Uni<Boolean> delete(int no) {
    return run(DELETE, Tuple.of(no));
  }

  /**
   * A new secret; the old one signs along for a while. Whether there was such a sink.
   *
   * @param sealed the new one
   */
  public Uni<Boolean> rotate(int no, byte[] sealed, Duration grace) {
    return run(ROTATE, Tuple.of(no, Buffer.buffer(sealed), grace.toMillis() / 1000.0));
  }

  /** Takes away a slice of what deleted sinks left; 0 once there is nothing. */
  Uni<Long> sweepDeleted() {
    return db.one(SWEEP_DELETED, Tuple.tuple(), row -> row.getLong("touched"));
  }

  private Uni<Boolean> run(String sql, Tuple arguments) {
    return db.run(sql, arguments).map(touched -> touched > 0);
  }

  private static String[] likes(List<String> rooms) {
    return rooms.stream()
        .map(pattern -> pattern.replace("_", "\\_").replace('*', '%'))
        .toArray(String[]::new);
  }

  /** How a constant is written in the database and on the wire. */
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static SinkRow read(Row row) {
    Buffer[] sealed = row.getArrayOfBuffers("sealed");
    OffsetDateTime[] expiries = row.getArrayOfOffsetDateTimes("expiries");
    List<Secret> secrets = new ArrayList<>();
    for (int i = 0; i < sealed.length; i++) {
      secrets.add(new Secret(sealed[i].getBytes(), i == 0 ? null : expiries[i].toInstant()));
    }
    return new SinkRow(
        row.getInteger("no"),
        row.getString("id"),
        row.getString("type"),
        row.getString("name"),
        List.of(row.getArrayOfStrings("rooms")),
        row.getString("target"),
        Format.valueOf(row.getString("format").toUpperCase(Locale.ROOT)),
        Poison.valueOf(row.getString("poison").toUpperCase(Locale.ROOT)),
        State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
        row.getString("reason"),
        secrets,
        row.getLong("changed"),
        instant(row));
  }

  private static Instant instant(Row row) {
    return row.get(OffsetDateTime.class, "created_at").toInstant();
  }

  /**
   * A sink to be made.
   *
   * @param sealed its first secret, or null if its type needs none
   * @param fromBeginning whether rooms begin with their oldest kept message rather than now
   * @param starts the first number wanted, for rooms that differ from that
   */
  public record NewSink(
      String id,
      String type,
      String name,
      List<String> rooms,
      String target,
      Format format,
      Poison poison,
      byte @Nullable [] sealed,
      boolean fromBeginning,
      Map<String, Long> starts) {

    /** Without target and secret. */
    @Override
    public String toString() {
      return "NewSink[id=" + id + ", type=" + type + "]";
    }
  }
}
