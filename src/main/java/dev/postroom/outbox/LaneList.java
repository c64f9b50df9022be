package dev.postroom.outbox;

import dev.postroom.db.Db;
import dev.postroom.room.Epochs;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What administrators see of a sink's lanes and dead letters: keyset pages by the room's number, so
 * a room that was closed and one that was made again under its name are two. Safe for any thread.
 */
@ApplicationScoped
public class LaneList {

  private static final String SELECT =
      """
      SELECT lane.*, room.id, room.nonce, %s AS mark, room.closed_at IS NOT NULL AS closed
        FROM lane JOIN room ON room.no = lane.room_no
       WHERE lane.sink_no = $1 AND lane.room_no > $2 %%s
       ORDER BY lane.room_no LIMIT $3
      """
          .formatted(Epochs.CURRENT_MARK);

  private static final String DEAD_LETTERS =
      """
      SELECT d.*, room.id, room.nonce, room.closed_at IS NOT NULL AS closed,
             coalesce((SELECT l.mark FROM message m JOIN lineage l ON l.no = m.lineage
                        WHERE m.room_no = d.room_no AND m.seq = d.seq), %s) AS mark
        FROM dead_letter d JOIN room ON room.no = d.room_no
       WHERE d.sink_no = $1 AND (d.room_no, d.seq) > ($2, $3)
       ORDER BY d.room_no, d.seq LIMIT $4
      """
          .formatted(Epochs.CURRENT_MARK);

  /** Only what an index knows: rooms at rest are not counted. */
  private static final String COUNTS =
      """
      SELECT state, count(*) AS lanes FROM lane WHERE sink_no = $1 AND due_at IS NOT NULL GROUP BY 1
      UNION ALL
      SELECT 'parked', count(*) FROM lane WHERE sink_no = $1 AND state = 'parked'
      """;

  private static final String DEAD = "SELECT count(*) AS dead FROM dead_letter WHERE sink_no = $1";

  private final Db db;

  LaneList(Db db) {
    this.db = db;
  }

  /**
   * The lanes of a sink that come after that of room number {@code after}.
   *
   * @param state only lanes in it, or null for all
   */
  public Uni<List<LaneRow>> lanes(int sinkNo, @Nullable LaneState state, long after, int limit) {
    return db.many(
        SELECT.formatted(condition(state)), Tuple.of(sinkNo, after, limit), LaneList::lane);
  }

  /** In words that let the planner use the index of those that are due, or parked. */
  private static String condition(@Nullable LaneState state) {
    if (state == null) {
      return "";
    }
    boolean due = state != LaneState.IDLE && state != LaneState.PARKED;
    return "AND lane.state = '"
        + state.column()
        + "'"
        + (due ? " AND lane.due_at IS NOT NULL" : "");
  }

  /** The dead letters of a sink that come after that one. */
  public Uni<List<DeadLetter>> deadLetters(int sinkNo, long afterRoom, long afterSeq, int limit) {
    return db.many(
        DEAD_LETTERS, Tuple.of(sinkNo, afterRoom, afterSeq, limit), LaneList::deadLetter);
  }

  /** How many lanes have something to do, by state. */
  public Uni<Map<LaneState, Long>> counts(int sinkNo) {
    return db.many(
            COUNTS,
            Tuple.of(sinkNo),
            row -> Map.entry(LaneState.ofColumn(row.getString("state")), row.getLong("lanes")))
        .map(
            rows -> {
              Map<LaneState, Long> counts = new EnumMap<>(LaneState.class);
              rows.forEach(row -> counts.put(row.getKey(), row.getValue()));
              return counts;
            });
  }

  public Uni<Long> deadLetters(int sinkNo) {
    return db.one(DEAD, Tuple.of(sinkNo), row -> row.getLong("dead")).map(LaneList::orZero);
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private static LaneRow lane(Row row) {
    return new LaneRow(
        place(row),
        LaneState.ofColumn(row.getString("state")),
        row.getLong("next_seq"),
        row.getLong("known_seq"),
        row.getInteger("late"),
        row.getInteger("tries"),
        row.getInteger("event_faults"),
        instant(row, "failing_since"),
        instant(row, "due_at"),
        row.getString("last_error"));
  }

  private static DeadLetter deadLetter(Row row) {
    return new DeadLetter(
        place(row),
        row.getLong("seq"),
        row.getString("reason"),
        "redriving".equals(row.getString("state")),
        row.get(OffsetDateTime.class, "first_failed_at").toInstant(),
        row.get(OffsetDateTime.class, "dead_since").toInstant());
  }

  static Place place(Row row) {
    return new Place(
        row.getLong("room_no"),
        row.getString("id"),
        Epochs.of(row.getInteger("nonce"), row.getInteger("mark")),
        row.getBoolean("closed"));
  }

  private static @Nullable Instant instant(Row row, String column) {
    OffsetDateTime time = row.get(OffsetDateTime.class, column);
    return time == null ? null : time.toInstant();
  }

  /**
   * A room of any time.
   *
   * @param no its number in the database
   * @param epoch which of the rooms of that name it is
   */
  public record Place(long no, String room, String epoch, boolean closed) {}

  /**
   * A lane.
   *
   * @param nextSeq the number that leaves next
   * @param knownSeq the last number that is there to leave
   * @param late dead letters that are to be sent once more
   * @param tries failures at the head in a row
   * @param eventFaults those of them that were the event's
   * @param since since when it fails
   * @param dueAt when it may go on, or until when a node has it
   */
  public record LaneRow(
      Place place,
      LaneState state,
      long nextSeq,
      long knownSeq,
      int late,
      int tries,
      int eventFaults,
      @Nullable Instant since,
      @Nullable Instant dueAt,
      @Nullable String lastError) {

    /** How many it has still to hand over, late ones not counted. */
    public long pending() {
      return Math.max(0, knownSeq - nextSeq + 1);
    }
  }

  /**
   * An event that was left out. The epoch of its place is that of its number.
   *
   * @param redriving whether it is to be sent once more
   */
  public record DeadLetter(
      Place place,
      long seq,
      String reason,
      boolean redriving,
      Instant firstFailedAt,
      Instant deadSince) {}
}
