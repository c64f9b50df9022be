package dev.postroom.access;

import dev.postroom.db.Db;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Which open rooms a participant may read: by membership and by the patterns of its token. Keyset
 * pages by room id. Safe for any thread.
 */
@ApplicationScoped
public class RoomDirectory {

  private static final String EVERY_ROOM = "*";

  /**
   * Each source is a range of an index and gives at most one page: the participant's memberships,
   * and for each pattern the ids that begin like it. A tilde sorts above all that an id may hold.
   */
  private static final String VISIBLE =
      """
      SELECT no, id FROM (
        (SELECT r.no, r.id
           FROM member m JOIN room r ON r.no = m.room_no
          WHERE m.participant = $1 AND r.closed_at IS NULL AND r.id > $2
          ORDER BY r.id
          LIMIT $3)
        UNION
        SELECT found.no, found.id
          FROM unnest($4::text[], $5::text[]) AS pattern (prefix, likeness),
          LATERAL (
            SELECT r.no, r.id
              FROM room r
             WHERE r.closed_at IS NULL AND r.id > $2
               AND r.id >= pattern.prefix AND r.id < pattern.prefix || '~'
               AND r.id LIKE pattern.likeness
             ORDER BY r.id
             LIMIT $3) AS found
      ) AS visible
      ORDER BY id
      LIMIT $3
      """;

  private final Db db;
  private final MembershipPolicy policy;

  RoomDirectory(Db db, MembershipPolicy policy) {
    this.db = db;
    this.policy = policy;
  }

  /**
   * The numbers of the first {@code limit} rooms whose id sorts after {@code after}, by id.
   *
   * @param after the last room id of the page before; empty for the first page
   */
  public Uni<List<Long>> visibleTo(Principal principal, String after, int limit) {
    List<String> patterns =
        policy.isReaderEverywhere(principal)
            ? List.of(EVERY_ROOM)
            : List.copyOf(principal.rooms().keySet());
    return db.many(
        VISIBLE,
        Tuple.of(
            principal.participant(),
            after,
            limit,
            patterns.stream().map(RoomPattern::prefix).toArray(String[]::new),
            patterns.stream().map(RoomPattern::like).toArray(String[]::new)),
        row -> row.getLong("no"));
  }
}
