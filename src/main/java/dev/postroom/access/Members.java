package dev.postroom.access;

import static java.util.stream.Collectors.toMap;

import dev.postroom.access.RoleBatches.Asked;
import dev.postroom.db.Db;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** Every row by two keys. */
  private static final String ROLES =
      """
      SELECT r.id, m.participant, m.role
      FROM unnest($1::text[], $2::text[]) AS asked (room, participant)
      JOIN room r ON r.id = asked.room AND r.closed_at IS NULL
      JOIN member m ON m.room_no = r.no AND m.participant = asked.participant
      """;

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

  /** The roles of those who are members, in one query. */
  Uni<Map<Asked, Role>> roles(Set<Asked> asked) {
    List<Asked> all = List.copyOf(asked);
    return db.many(
            ROLES,
            Tuple.of(
                all.stream().map(one -> one.room().value()).toArray(String[]::new),
                // As one argument, not as several.
                (Object) all.stream().map(Asked::participant).toArray(String[]::new)),
            row ->
                Map.entry(
                    new Asked(new RoomId(row.getString("id")), row.getString("participant")),
                    role(row)))
        .map(found -> found.stream().collect(toMap(Map.Entry::getKey, Map.Entry::getValue)));
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
