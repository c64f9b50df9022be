package dev.postroom.room;

import dev.postroom.db.Db;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.OffsetDateTime;
import java.util.Collections;
import java.util.List;

/**
 * Keyset pages of a room's messages, always ascending by seq, only those whose text is kept (N4,
 * R6). One query a call. Safe for any thread.
 */
@ApplicationScoped
public class MessageLog {

  private static final String SELECT =
      """
      SELECT r.rights, m.message_id, r.nonce, l.mark, m.seq, m.participant, m.author_name,
             m.client_message_id, m.text, m.accepted_at
        FROM message m
        JOIN room r ON r.no = m.room_no
        JOIN lineage l ON l.no = m.lineage
       WHERE m.room_no = $1 AND m.text IS NOT NULL
      """;

  private static final String AFTER =
      SELECT + " AND m.seq > $2 AND m.seq >= r.kept_from ORDER BY m.seq LIMIT $3";

  private static final String BEFORE =
      SELECT + " AND m.seq < $2 AND m.seq >= r.kept_from ORDER BY m.seq DESC LIMIT $3";

  private final Db db;

  public MessageLog(Db db) {
    this.db = db;
  }

  /** The first {@code limit} messages with a seq greater than {@code after}. */
  public Uni<List<RoomMessage>> after(Room room, long after, int limit) {
    return db.many(AFTER, Tuple.of(room.no(), after, limit), MessageLog::read);
  }

  /**
   * As {@link #after}, with the room's {@link Room#rights} of the same moment: no removal before
   * the last of these messages is missing in it.
   */
  public Uni<Continuation> continuation(Room room, long after, int limit) {
    return db.many(
            AFTER,
            Tuple.of(room.no(), after, limit),
            row -> new Continuation(row.getLong("rights"), List.of(read(row))))
        .map(MessageLog::joined);
  }

  /** The last {@code limit} messages with a seq smaller than {@code before}, ascending. */
  public Uni<List<RoomMessage>> before(Room room, long before, int limit) {
    return db.many(BEFORE, Tuple.of(room.no(), before, limit), MessageLog::read)
        .invoke(Collections::reverse);
  }

  private static Continuation joined(List<Continuation> rows) {
    long rights = rows.isEmpty() ? 0 : rows.get(0).rights();
    return new Continuation(rights, rows.stream().map(row -> row.messages().get(0)).toList());
  }

  private static RoomMessage read(Row row) {
    return new RoomMessage(
        row.getUUID("message_id"),
        Epochs.of(row.getInteger("nonce"), row.getInteger("mark")),
        row.getLong("seq"),
        row.getString("participant"),
        row.getString("author_name"),
        row.getString("client_message_id"),
        row.getString("text"),
        row.get(OffsetDateTime.class, "accepted_at").toInstant());
  }

  /**
   * What follows in a room.
   *
   * @param rights see {@link Room#rights}; 0 if nothing follows
   */
  public record Continuation(long rights, List<RoomMessage> messages) {}
}
