package dev.postroom.outbox;

import dev.postroom.db.Db;
import dev.postroom.outbox.LaneList.Place;
import dev.postroom.room.Epochs;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rooms of a name that a sink has lanes of: the open one, and closed ones that are not removed
 * yet. They have the same numbers, so whoever means one of them has to say which (R4). Safe for any
 * thread.
 */
@ApplicationScoped
public class SinkRooms {

  /** Open and closed ones apart: each has an index of its own. */
  static final String NAMED =
      """
      SELECT room.no AS room_no, room.id, room.nonce, %s AS mark,
             room.closed_at IS NOT NULL AS closed,
             (SELECT l.mark FROM message m JOIN lineage l ON l.no = m.lineage
               WHERE m.room_no = room.no AND m.seq = $3) AS event_mark,
             ARRAY(SELECT l.mark FROM lineage l) AS marks
        FROM (SELECT * FROM room WHERE id = $2 AND closed_at IS NULL
              UNION ALL
              SELECT * FROM room WHERE id = $2 AND closed_at IS NOT NULL) room
        JOIN lane ON lane.sink_no = $1 AND lane.room_no = room.no
       ORDER BY room.no
      """
          .formatted(Epochs.CURRENT_MARK);

  private final Db db;

  SinkRooms(Db db) {
    this.db = db;
  }

  /**
   * Those of that name, the oldest first.
   *
   * @param seq the number that the call is about, or 0 if it is about none
   */
  public Uni<List<Named>> named(int sinkNo, RoomId room, long seq) {
    return db.many(NAMED, Tuple.of(sinkNo, room.value(), seq), SinkRooms::read);
  }

  private static Named read(Row row) {
    int nonce = row.getInteger("nonce");
    Integer event = row.getInteger("event_mark");
    return new Named(
        LaneList.place(row),
        event == null ? null : Epochs.of(nonce, event),
        Stream.of(row.getArrayOfIntegers("marks")).map(mark -> Epochs.of(nonce, mark)).toList());
  }

  /**
   * One of them.
   *
   * @param eventEpoch the epoch of the number in question, null where there is no such message
   * @param epochs all that it has had or may have had
   */
  public record Named(Place place, @Nullable String eventEpoch, List<String> epochs) {

    /**
     * Whether the number in question can be meant by that epoch: it is the room's present one, or
     * the number's own. A number of an epoch before the last restore may have been given again.
     */
    public boolean means(String epoch) {
      return epoch.equals(place.epoch()) || epoch.equals(eventEpoch);
    }
  }
}
