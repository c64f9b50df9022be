package dev.postroom.bench.limit;

import dev.postroom.bench.Bed;
import dev.postroom.bench.Started;
import dev.postroom.bench.host.Database;
import dev.postroom.bench.peer.Peers;
import java.sql.SQLException;

/** The product's own tables, made by the product's own start. */
public final class Schema {

  private Schema() {}

  /** Starts the service on the database and stops it again. */
  public static void make(Bed bed) throws Exception {
    try (Started started = Peers.named("postroom").start(bed.database(), bed.bench())) {
      bed.database().value("SELECT count(*) FROM lineage");
    }
  }

  static void makeRooms(Database database) throws SQLException {
    database.execute(
        "INSERT INTO room (id, nonce) SELECT 'r' || n, 7 FROM generate_series(0, %d) n"
                .formatted(Script.ROOMS - 1)
            + " ON CONFLICT DO NOTHING");
    database.execute("CREATE TABLE bare_message (LIKE message INCLUDING ALL)");
  }
}
