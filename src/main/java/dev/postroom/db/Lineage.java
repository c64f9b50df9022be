package dev.postroom.db;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;

/**
 * Notices on every new physical connection that the database has become another one: a promoted
 * replica, a restored backup (R4).
 *
 * <p>Guarantee: no statement of the service runs on a connection before the newest row of {@code
 * lineage} names the cluster and the timeline behind that connection. A replica that cannot be
 * written is refused, because it might be promoted under an open connection.
 */
final class Lineage {

  private static final String LOOK =
      """
      SELECT pg_is_in_recovery() AS replica,
             NOT pg_is_in_recovery() AND EXISTS (
               SELECT 1
                 FROM (SELECT system_identifier, timeline FROM lineage ORDER BY no DESC LIMIT 1) l
                WHERE l.system_identifier = c.system_identifier::text
                  AND l.timeline = CASE WHEN pg_is_in_recovery() THEN NULL
                                        ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END
             ) AS known
        FROM pg_control_system() c
      """;

  /** One text, several statements: the lock lets one of several nodes add the row. */
  private static final String ADD =
      """
      BEGIN;
      LOCK TABLE lineage IN SHARE ROW EXCLUSIVE MODE;
      INSERT INTO lineage (mark, system_identifier, timeline, reason)
      SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 8))::bit(32)::integer,
             c.system_identifier::text, t.timeline,
             CASE WHEN EXISTS (SELECT 1 FROM lineage) THEN 'another cluster or timeline'
                  ELSE 'first start' END
        FROM pg_control_system() c,
             LATERAL (SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline) t
       WHERE NOT EXISTS (
               SELECT 1
                 FROM (SELECT system_identifier, timeline FROM lineage ORDER BY no DESC LIMIT 1) l
                WHERE l.system_identifier = c.system_identifier::text AND l.timeline = t.timeline);
      COMMIT
      """;

  private Lineage() {}

  static Future<Void> check(SqlConnection connection) {
    return connection
        .query(LOOK)
        .execute()
        .map(rows -> rows.iterator().next())
        .compose(
            row -> {
              if (row.getBoolean("replica")) {
                return Future.failedFuture(
                    new IllegalStateException("the database is a replica and cannot be written"));
              }
              return row.getBoolean("known")
                  ? Future.succeededFuture()
                  : connection.query(ADD).execute().mapEmpty();
            });
  }
}
