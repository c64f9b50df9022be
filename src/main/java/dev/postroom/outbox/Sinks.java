package dev.postroom.outbox;

import dev.postroom.db.Db;
import dev.postroom.outbox.SinkRow.Format;
import dev.postroom.outbox.SinkRow.Poison;
import dev.postroom.outbox.SinkRow.Secret;
import dev.postroom.outbox.SinkRow.State;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
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

/** The sinks that there are. Safe for any thread. */
@ApplicationScoped
public class Sinks {
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

  private static final String CHANGE =
      "UPDATE sink SET %s, changed = nextval('sink_change') WHERE no = $1 AND deleted_at IS NULL";

  private static final String STATE = CHANGE.formatted("state = $2, reason = $3");
  private static final String UNCHANGED_STATE = STATE + " AND changed = $4";
  private static final String DELETE = CHANGE.formatted("deleted_at = statement_timestamp()");

  /** Of two who rotate at once, the second sees the secret of the first. */
  private static final String HOLD = "SELECT no FROM sink WHERE no = $1 FOR NO KEY UPDATE";

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
    return Futures.uni(new SinkCreation(sink, config.sinks()).in(db));
  }

  /** Whether there was such a sink. */
  public Uni<Boolean> pause(int no) {
    return run(STATE, Tuple.of(no, word(State.PAUSED), null));
  }

  /** Whether there was such a sink. */
  public Uni<Boolean> resume(int no) {
    return run(STATE, Tuple.of(no, word(State.ACTIVE), null));
  }

  /** Whether there was such a sink, and nobody had changed it since. */
  Uni<Boolean> disable(int no, long changed, String reason) {
    return run(UNCHANGED_STATE, Tuple.of(no, word(State.DISABLED), reason, changed));
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
    return Futures.uni(
        db.transaction(
                new Db.Statement(HOLD, Tuple.of(no)),
                new Db.Statement(
                    ROTATE, Tuple.of(no, Buffer.buffer(sealed), grace.toMillis() / 1000.0)))
            .map(touched -> touched.rowCount() > 0));
  }

  /** Takes away a slice of what deleted sinks left; 0 once there is nothing. */
  Uni<Long> sweepDeleted() {
    return db.one(SWEEP_DELETED, Tuple.tuple(), row -> row.getLong("touched"));
  }

  private Uni<Boolean> run(String sql, Tuple arguments) {
    return db.run(sql, arguments).map(touched -> touched > 0);
  }

  /** Room patterns for LIKE. */
  static String[] likes(List<String> rooms) {
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
