package dev.postroom.room;

import dev.postroom.db.Contended;
import dev.postroom.db.Db;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The open rooms: find, make. Safe for any thread. */
@ApplicationScoped
public class Rooms {
  public static final int TITLE_LENGTH = 200;

  private static final String SELECT =
      "SELECT no, id, nonce, "
          + Epochs.CURRENT_MARK
          + " AS mark, head, title, kept_from, rights FROM room";

  private static final String FIND = SELECT + " WHERE id = $1 AND closed_at IS NULL";

  private static final String OPEN = SELECT + " WHERE no = ANY($1) AND closed_at IS NULL";

  private static final String CREATE =
      """
      INSERT INTO room (id, nonce, title)
      SELECT id, ('x' || left(replace(gen_random_uuid()::text, '-', ''), 8))::bit(32)::integer, $2
        FROM unnest($1::text[]) AS given (id)
          ON CONFLICT (id) WHERE closed_at IS NULL DO NOTHING
      """;

  /** One statement: between two, somebody else could become the owner of what was made here. */
  private static final String CREATE_OWNED =
      "WITH made AS ("
          + CREATE
          + " RETURNING no) INSERT INTO member (room_no, participant, role)"
          + " SELECT no, $3, 'owner' FROM made";

  /** How often a room is made that somebody else closes at once. */
  private static final int TRIES = 5;

  private final Db db;

  public Rooms(Db db) {
    this.db = db;
  }

  /** The open room of that name, or null. */
  public Uni<@Nullable Room> find(RoomId id) {
    return db.one(FIND, Tuple.of(id.value()), Rooms::read);
  }

  /** As {@link #create(RoomId, String, String)}, without an owner. */
  public Uni<Room> create(RoomId id, @Nullable String title) {
    return create(id, title, null);
  }

  /**
   * Makes the room if there is none; otherwise answers the present one unchanged. Fails with {@link
   * Contended} if it is closed again and again while it is made.
   *
   * @param title at most {@link #TITLE_LENGTH} characters, or null
   * @param owner its first member, if it is made here; null for none
   */
  public Uni<Room> create(RoomId id, @Nullable String title, @Nullable String owner) {
    return create(id, title, owner, TRIES);
  }

  private Uni<Room> create(
      RoomId id, @Nullable String title, @Nullable String owner, int triesLeft) {
    return find(id)
        .chain(
            room -> {
              if (room != null) {
                return Uni.createFrom().item(room);
              }
              return triesLeft == 0
                  ? Uni.createFrom().failure(new Contended("The room is being closed and made"))
                  : make(id, title, owner).chain(() -> create(id, title, owner, triesLeft - 1));
            });
  }

  /** The rooms of these numbers that are still open, by number: one query. */
  public Uni<Map<Long, Room>> open(Collection<Long> numbers) {
    return db.many(OPEN, Tuple.of(numbers.toArray(Long[]::new)), Rooms::read)
        .map(found -> found.stream().collect(Collectors.toMap(Room::no, room -> room)));
  }

  /** A statement that makes those of the named rooms that there are not. */
  public static Db.Statement creation(Collection<RoomId> ids) {
    String[] names = ids.stream().map(RoomId::value).sorted().toArray(String[]::new);
    return new Db.Statement(CREATE, Tuple.of(names, (Object) null));
  }

  private Uni<Integer> make(RoomId id, @Nullable String title, @Nullable String owner) {
    String[] names = {id.value()};
    return owner == null
        ? db.run(CREATE, Tuple.of(names, title))
        : db.run(CREATE_OWNED, Tuple.of(names, title, owner));
  }

  static Room read(Row row) {
    return new Room(
        row.getLong("no"),
        new RoomId(row.getString("id")),
        Epochs.of(row.getInteger("nonce"), row.getInteger("mark")),
        row.getLong("head"),
        row.getString("title"),
        row.getLong("kept_from"),
        row.getLong("rights"));
  }
}
