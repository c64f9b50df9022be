package dev.postroom.access;

import dev.postroom.db.Db;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The membership table: who holds which role in an open room. Removing a member is in {@code
 * accept.RoomChanges}, because the room must hear of it. Safe for any thread.
 *
 * <p>Changes take the room that was found, not its name: by then the name may be another room's.
 */
@ApplicationScoped
public class Members {

  private static final String ROLE =
      """
      SELECT m.role
      FROM room r JOIN member m ON m.room_no = r.no
      WHERE r.id = $1 AND r.closed_at IS NULL AND m.participant = $2
      """;

  private static final String ROLE_IN =
      "SELECT role FROM member WHERE room_no = $1 AND participant = $2";

  private static final String PUT =
      """
      INSERT INTO member (room_no, participant, role)
      SELECT no, $2, $3 FROM room WHERE no = $1 AND closed_at IS NULL
      ON CONFLICT (room_no, participant) DO UPDATE SET role = excluded.role
      """;

  /** Two founders at once may both become owners: both may make the room. */
  private static final String FOUND =
      """
      INSERT INTO member (room_no, participant, role)
      SELECT r.no, $2, 'owner' FROM room r
      WHERE r.no = $1 AND r.closed_at IS NULL
        AND NOT EXISTS (SELECT FROM member m WHERE m.room_no = r.no AND m.role = 'owner')
      ON CONFLICT (room_no, participant) DO UPDATE SET role = excluded.role
      """;

  private static final String LIST =
      """
      SELECT participant, role
      FROM member
      WHERE room_no = $1 AND participant > $2
      ORDER BY participant
      LIMIT $3
      """;

  private final Db db;

  Members(Db db) {
    this.db = db;
  }

  /** Null if the participant is no member, or there is no such room. */
  public Uni<@Nullable Role> role(RoomId room, String participant) {
    return db.one(ROLE, Tuple.of(room.value(), participant), Members::role);
  }

  /** As {@link #role(RoomId, String)}, in the very room that was found. */
  Uni<@Nullable Role> role(Room room, String participant) {
    return db.one(ROLE_IN, Tuple.of(room.no(), participant), Members::role);
  }

  /** Adds the member or changes its role. False if the room is closed. */
  public Uni<Boolean> put(Room room, String participant, Role role) {
    return db.run(PUT, Tuple.of(room.no(), participant, role.wire())).map(rows -> rows > 0);
  }

  /** Makes the participant owner of a room that has none. False if it has, or is closed. */
  public Uni<Boolean> found(Room room, String participant) {
    return db.run(FOUND, Tuple.of(room.no(), participant)).map(rows -> rows > 0);
  }

  /**
   * The first {@code limit} members whose participant id sorts after {@code after}, by code point.
   *
   * @param after the last participant of the page before; empty for the first page
   */
  public Uni<List<Member>> list(Room room, String after, int limit) {
    return db.many(
        LIST,
        Tuple.of(room.no(), after, limit),
        row -> new Member(row.getString("participant"), role(row)));
  }

  private static Role role(Row row) {
    // The table's CHECK knows the same words.
    Role role = Role.ofWire(row.getString("role"));
    if (role == null) {
      throw new IllegalStateException("a role in the database that nobody knows");
    }
    return role;
  }

  /** One participant's role in a room. */
  public record Member(String participant, Role role) {}
}
