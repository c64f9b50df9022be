package dev.postroom.outbox;

import static java.util.stream.Collectors.toMap;

import dev.postroom.db.Db;
import dev.postroom.room.Epochs;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Lanes taken, kept and read. Leases are by the database's clock only (C1). Safe for any thread and
 * any number of nodes.
 */
@ApplicationScoped
class Lanes {
  /** Events that are read at once of one lane; further ones when these have left. */
  static final int PAGE = 20;

  /** The subqueries with LIMIT stay nested loops over an index, whatever the planner believes. */
  private static final String MESSAGES =
      """
      CROSS JOIN LATERAL (SELECT id, nonce FROM room WHERE no = wanted.room_no LIMIT 1) r
       LEFT JOIN LATERAL (
            SELECT m.*, (SELECT mark FROM lineage WHERE lineage.no = m.lineage) AS mark,
                   d.dead_since, d.state AS dead_state
              FROM message m
              LEFT JOIN dead_letter d ON d.sink_no = wanted.sink_no
                                     AND d.room_no = m.room_no AND d.seq = m.seq
             WHERE m.room_no = wanted.room_no
               AND m.seq BETWEEN wanted.from_seq AND wanted.to_seq
             ORDER BY m.seq LIMIT 20) m ON true
       ORDER BY wanted.room_no, m.seq
      """;

  private static final String CLAIM =
      """
      WITH due AS MATERIALIZED (
        SELECT room_no, state FROM lane
         WHERE sink_no = $1 AND due_at <= statement_timestamp()
           AND due_at >= statement_timestamp() - make_interval(secs => $2::float8)
           AND EXISTS (SELECT 1 FROM sink
                        WHERE no = $1 AND state = 'active' AND deleted_at IS NULL)
         ORDER BY due_at LIMIT $3
           FOR UPDATE SKIP LOCKED
      ), wanted AS MATERIALIZED (
        UPDATE lane
           SET state = 'leased', token = token + 1,
               due_at = statement_timestamp() + make_interval(secs => $4::float8)
         WHERE sink_no = $1 AND room_no = ANY (ARRAY(SELECT room_no FROM due))
        RETURNING lane.*, next_seq AS from_seq, known_seq AS to_seq
      )
      SELECT wanted.room_no AS lane_room, wanted.sink_no AS lane_sink, next_seq, known_seq, late,
             wanted.token, tries, event_faults,
             (SELECT max(no) FROM lineage) AS claimed_in,
             (SELECT state = 'leased' FROM due WHERE due.room_no = wanted.room_no) AS taken_over,
             r.id, r.nonce, m.*
        FROM wanted
      """
          + MESSAGES;

  private static final String READ =
      """
      WITH wanted AS MATERIALIZED (
        SELECT $1::bigint AS room_no, $2::integer AS sink_no,
               $3::bigint AS from_seq, $4::bigint AS to_seq
      )
      SELECT r.id, r.nonce, m.*, (SELECT max(no) FROM lineage) AS read_in
        FROM wanted
      """
          + MESSAGES;

  private static final String LATE =
      """
      WITH wanted AS MATERIALIZED (
        SELECT room_no, sink_no, seq AS from_seq, seq AS to_seq FROM dead_letter
         WHERE room_no = $1 AND sink_no = $2 AND state = 'redriving'
           -- One that is not behind the lane yet leaves in its turn.
           AND seq < (SELECT next_seq FROM lane WHERE room_no = $1 AND sink_no = $2)
         ORDER BY seq LIMIT 20
      )
      SELECT r.id, r.nonce, m.*
        FROM wanted
      """
          + MESSAGES;

  private static final String RENEW =
      """
      WITH held AS MATERIALIZED (
        SELECT lane.sink_no, lane.room_no
          FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) AS i (sink_no, room_no, token)
          JOIN lane ON lane.sink_no = i.sink_no AND lane.room_no = i.room_no
                   AND lane.token = i.token AND lane.state = 'leased'
         ORDER BY lane.sink_no, lane.room_no
           FOR UPDATE OF lane
      )
      UPDATE lane SET due_at = statement_timestamp() + make_interval(secs => $4::float8)
        FROM held
       WHERE lane.sink_no = held.sink_no AND lane.room_no = held.room_no
      RETURNING lane.sink_no, lane.room_no, lane.token
      """;

  private static final String OVERDUE =
      """
      SELECT EXISTS (SELECT 1 FROM lane
                      WHERE sink_no = $1
                        AND due_at < statement_timestamp() - make_interval(secs => $2::float8)
                     OFFSET 0)
      """;

  private final Db db;

  Lanes(Db db) {
    this.db = db;
  }

  /** Whether a lane of the sink has been due for longer, whoever holds its row. */
  Future<Boolean> overdue(int sinkNo, double seconds) {
    return db.transaction(new Db.Statement(OVERDUE, Tuple.of(sinkNo, seconds)))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /**
   * Takes up to {@code limit} due lanes of a sink, those that have waited longest first.
   *
   * @param seconds lanes that became due longer ago are not looked for
   */
  Future<List<Claim>> claim(int sinkNo, double seconds, int limit, Duration lease) {
    return Futures.of(
            db.many(CLAIM, Tuple.of(sinkNo, seconds, limit, seconds(lease)), Lanes::claimed))
        .map(Lanes::grouped);
  }

  /**
   * The next events of a claimed lane, from the one that is to leave next.
   *
   * @return fails with {@link AnotherLineage} if the database has become another one since the
   *     claim
   */
  Future<List<Head>> read(Claim claim, long from) {
    Claim.Key lane = claim.key();
    return Futures.of(
        db.many(
            READ,
            Tuple.of(lane.roomNo(), lane.sinkNo(), from, claim.known()),
            row -> {
              if (row.getInteger("read_in") != claim.lineage()) {
                throw new AnotherLineage();
              }
              return row.getLong("seq") == null ? null : head(row);
            }));
  }

  /** Dead letters of a lane that are to be sent once more. */
  Future<List<Head>> late(Claim.Key lane) {
    return Futures.of(db.many(LATE, Tuple.of(lane.roomNo(), lane.sinkNo()), Lanes::head));
  }

  /**
   * Those of the lanes that are still this node's, with a new lease, and the token of each: of two
   * claims of one lane the older is not renewed.
   */
  Future<Map<Claim.Key, Long>> renew(Collection<Claim> claims, Duration lease) {
    List<Claim> sorted = claims.stream().sorted().toList();
    return Futures.of(
            db.many(
                RENEW,
                Tuple.of(
                    sorted.stream().map(claim -> claim.key().sinkNo()).toArray(Integer[]::new),
                    longs(sorted, claim -> claim.key().roomNo()),
                    longs(sorted, Claim::token),
                    seconds(lease)),
                row ->
                    Map.entry(
                        new Claim.Key(row.getInteger("sink_no"), row.getLong("room_no")),
                        row.getLong("token"))))
        .map(rows -> rows.stream().collect(toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  private static Long[] longs(List<Claim> claims, Function<Claim, Long> field) {
    return claims.stream().map(field).toArray(Long[]::new);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static Claim claimed(Row row) {
    List<Head> heads = new ArrayList<>();
    if (row.getLong("seq") != null) {
      heads.add(head(row));
    }
    return new Claim(
        new Claim.Key(row.getInteger("lane_sink"), row.getLong("lane_room")),
        row.getLong("token"),
        row.getInteger("claimed_in"),
        row.getLong("next_seq"),
        row.getLong("known_seq"),
        row.getInteger("late"),
        row.getInteger("tries"),
        row.getInteger("event_faults"),
        row.getBoolean("taken_over"),
        heads);
  }

  /** One row an event; those of one lane follow each other. */
  private static List<Claim> grouped(List<Claim> rows) {
    List<Claim> claims = new ArrayList<>();
    for (Claim row : rows) {
      Claim last = claims.isEmpty() ? null : claims.get(claims.size() - 1);
      if (last != null && last.key().equals(row.key())) {
        last.heads().addAll(row.heads());
      } else {
        claims.add(row);
      }
    }
    return claims;
  }

  private static Head head(Row row) {
    RoomId room = new RoomId(row.getString("id"));
    String epoch = Epochs.of(row.getInteger("nonce"), row.getInteger("mark"));
    String text = row.getString("text");
    OffsetDateTime deadSince = row.get(OffsetDateTime.class, "dead_since");
    RoomMessage message =
        new RoomMessage(
            row.getUUID("message_id"),
            epoch,
            row.getLong("seq"),
            row.getString("participant"),
            row.getString("author_name"),
            row.getString("client_message_id"),
            text == null ? "" : text,
            row.get(OffsetDateTime.class, "accepted_at").toInstant());
    return new Head(
        room,
        message,
        text != null,
        deadSince == null ? null : deadSince.toInstant(),
        "redriving".equals(row.getString("dead_state")));
  }

  /**
   * The numbers that a claim speaks of may be other messages' now, and in their epoch not the next.
   */
  static final class AnotherLineage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AnotherLineage() {
      super("The database has become another one since the lane was taken.");
    }
  }
}
