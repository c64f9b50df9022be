package dev.postroom.room;

import dev.postroom.db.Db;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * What makes an epoch (R4): which room of that name it is, and which history of the database.
 *
 * <p>The database notices another cluster, timeline or database by itself; a backup that was
 * restored file by file looks like the original, so there the operator says it, by {@link #renew}.
 */
@ApplicationScoped
public class Epochs {

  /** A scalar subquery: the mark of the history in force. */
  public static final String CURRENT_MARK = "(SELECT mark FROM lineage ORDER BY no DESC LIMIT 1)";

  private static final String RENEW =
      """
      INSERT INTO lineage (mark, system_identifier, timeline, home, reason)
      SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 8))::bit(32)::integer,
             system_identifier, timeline, home, $1
        FROM lineage ORDER BY no DESC LIMIT 1
      """;

  private final Db db;

  public Epochs(Db db) {
    this.db = db;
  }

  /** The epoch on the wire: opaque to everybody else. */
  public static String of(int nonce, int mark) {
    return hex(nonce) + hex(mark);
  }

  /**
   * Begins a new epoch in every room.
   *
   * @param reason for the record, such as "restored from the backup of Tuesday"
   */
  public Uni<Void> renew(String reason) {
    return db.run(RENEW, Tuple.of(reason)).replaceWithVoid();
  }

  private static String hex(int value) {
    String digits = Integer.toHexString(value);
    return "0".repeat(8 - digits.length()) + digits;
  }
}
