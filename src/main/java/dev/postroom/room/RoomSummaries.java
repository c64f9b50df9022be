package dev.postroom.room;

import dev.postroom.db.Db;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Open rooms with the beginning of their last message, for a list. Safe for any thread. */
@ApplicationScoped
public class RoomSummaries {
  /** Characters of a text that a list shows; the whole may be a thousand times as long. */
  public static final int EXCERPT_LENGTH = 160;

  private static final String SUMMARIES =
      "SELECT r.no, r.id, r.nonce, "
          + Epochs.CURRENT_MARK
          + " AS mark, r.head, r.title, r.kept_from, r.rights,"
          + " m.seq, m.participant, m.author_name, m.accepted_at, left(m.text, "
          + EXCERPT_LENGTH
          + ") AS excerpt"
          + " FROM room r LEFT JOIN message m"
          + " ON m.room_no = r.no AND m.seq = r.head AND m.seq >= r.kept_from"
          + " AND m.text IS NOT NULL"
          + " WHERE r.no = ANY($1) AND r.closed_at IS NULL ORDER BY r.id";

  private final Db db;

  RoomSummaries(Db db) {
    this.db = db;
  }

  /** Those of the rooms of these numbers that are still open, by id: one query, one moment. */
  public Uni<List<RoomSummary>> of(Collection<Long> numbers) {
    return db.many(SUMMARIES, Tuple.of(numbers.toArray(Long[]::new)), RoomSummaries::read);
  }

  private static RoomSummary read(Row row) {
    return new RoomSummary(Rooms.read(row), row.getLong("seq") == null ? null : readNewest(row));
  }

  private static Newest readNewest(Row row) {
    return new Newest(
        row.getLong("seq"),
        row.getString("participant"),
        row.getString("author_name"),
        row.getString("excerpt"),
        row.get(OffsetDateTime.class, "accepted_at").toInstant());
  }

  /**
   * A room in a list.
   *
   * @param newest null in an empty room, and where the text of the last message is not kept
   */
  public record RoomSummary(Room room, @Nullable Newest newest) {}

  /**
   * The last message of a room.
   *
   * @param excerpt its first {@link #EXCERPT_LENGTH} characters
   */
  public record Newest(
      long seq, String participant, String authorName, String excerpt, Instant acceptedAt) {

    /** Without the text: messages are logged, bodies are not. */
    @Override
    public String toString() {
      return "Newest[seq=" + seq + "]";
    }
  }
}
