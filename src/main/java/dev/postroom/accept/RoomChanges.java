package dev.postroom.accept;

import dev.postroom.db.Db;
import dev.postroom.fanout.Hub;
import dev.postroom.room.Room;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Changes of a room that its readers must hear of: committed first, announced then. Safe for any
 * thread.
 *
 * <p>They take the room that was found, not its name: by then the name may be another room's.
 */
@ApplicationScoped
public class RoomChanges {

  /** Waits for an accept in flight: it holds the row. */
  private static final String CLOSE =
      "UPDATE room SET closed_at = now() WHERE no = $1 AND closed_at IS NULL";

  /**
   * Waits for an accept in flight like the closing, so that of a removal and an accept one is the
   * first, and whoever reads the message of a later one reads the raised rights with it.
   */
  private static final String REMOVE =
      """
      WITH gone AS (
        DELETE FROM member WHERE room_no = $1 AND participant = $2 RETURNING room_no
      )
      UPDATE room SET rights = room.rights + 1 FROM gone WHERE room.no = gone.room_no
      RETURNING room.rights
      """;

  private final Db db;
  private final Hub hub;

  RoomChanges(Db db, Hub hub) {
    this.db = db;
    this.hub = hub;
  }

  /**
   * Closes the room. What is made under its name afterwards is another room (R4).
   *
   * @return false if it is closed already
   */
  public Uni<Boolean> close(Room room) {
    return db.run(CLOSE, Tuple.of(room.no()))
        .map(touched -> touched > 0)
        .invoke(
            closed -> {
              if (closed) {
                hub.closed(room);
              }
            });
  }

  /**
   * Takes the participant's membership, and its sockets out of the room. What its token allows by
   * itself stays: with such a token it may join again (R5).
   *
   * @return false if there was no membership
   */
  public Uni<Boolean> remove(Room room, String participant) {
    return db.one(REMOVE, Tuple.of(room.no(), participant), row -> row.getLong("rights"))
        .invoke(
            rights -> {
              if (rights != null) {
                hub.removed(room, participant, rights);
              }
            })
        .map(rights -> rights != null);
  }
}
