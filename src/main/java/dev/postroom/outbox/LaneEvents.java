package dev.postroom.outbox;

import dev.postroom.db.Db;
import dev.postroom.room.Epochs;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.OffsetDateTime;
import java.util.List;

/**
 * A room's events as a sink gets them, by number, for a receiver that found a hole. Reading moves
 * nothing. Safe for any thread.
 */
@ApplicationScoped
public class LaneEvents {

  private static final String WANTED =
      """
      SELECT EXISTS (SELECT 1 FROM lane WHERE sink_no = $1 AND room_no = $2)
             OR EXISTS (SELECT 1 FROM room JOIN sink ON room.id LIKE ANY (sink.likes)
                         WHERE sink.no = $1 AND room.no = $2) AS wanted
      """;

  private static final String READ =
      """
      SELECT m.message_id, r.nonce, l.mark, m.seq, m.participant, m.author_name,
             m.client_message_id, m.text, m.accepted_at, d.dead_since
        FROM message m
        JOIN room r ON r.no = m.room_no
        JOIN lineage l ON l.no = m.lineage
        LEFT JOIN dead_letter d ON d.sink_no = $1 AND d.room_no = m.room_no AND d.seq = m.seq
       WHERE m.room_no = $2 AND m.seq >= greatest($3, r.kept_from) AND m.text IS NOT NULL
       ORDER BY m.seq LIMIT $4
      """;

  private final Db db;

  LaneEvents(Db db) {
    this.db = db;
  }

  /** Whether the sink gets the room's events at all. */
  public Uni<Boolean> areWanted(SinkRow sink, long roomNo) {
    return db.one(WANTED, Tuple.of(sink.no(), roomNo), row -> row.getBoolean("wanted"))
        .map(Boolean.TRUE::equals);
  }

  /**
   * The first {@code limit} events from that number on whose text is kept, ascending; in the place
   * of a dead letter its gap.
   */
  public Uni<List<RoomEvent>> from(SinkRow sink, RoomId room, long roomNo, long from, int limit) {
    return db.many(READ, Tuple.of(sink.no(), roomNo, from, limit), row -> event(room, row));
  }

  private static RoomEvent event(RoomId room, Row row) {
    String epoch = Epochs.of(row.getInteger("nonce"), row.getInteger("mark"));
    OffsetDateTime deadSince = row.get(OffsetDateTime.class, "dead_since");
    if (deadSince != null) {
      return new RoomEvent.Gap(room, epoch, row.getLong("seq"), deadSince.toInstant());
    }
    RoomMessage message =
        new RoomMessage(
            row.getUUID("message_id"),
            epoch,
            row.getLong("seq"),
            row.getString("participant"),
            row.getString("author_name"),
            row.getString("client_message_id"),
            row.getString("text"),
            row.get(OffsetDateTime.class, "accepted_at").toInstant());
    return new RoomEvent.Accepted(room, message, false);
  }
}
