package dev.postroom.db;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;

/**
 * Notices on every new physical connection that the database has become another one: a promoted
 * replica, a restored backup (R4).
 *
 * <p>Guarantee: no statement of the service runs on a connection before the newest row of {@code
 * lineage} names the cluster, the timeline and the database behind that connection. A replica that
 * cannot be written is refused, because it might be promoted under an open connection.
 */
final class Lineage {

  /** Another one after every restore of a dump, be it of the whole database or of its tables. */
  private static final String HOME =
      "(SELECT oid FROM pg_database WHERE datname = current_database())::text"
          + " || '/' || 'lineage'::regclass::oid::text";

  private static final String LOOK =
      """
      SELECT pg_is_in_recovery() AS replica,
             NOT pg_is_in_recovery() AND EXISTS (
               SELECT 1
                 FROM (SELECT system_identifier, timeline, home FROM lineage ORDER BY no DESC LIMIT 1) l
                WHERE l.system_identifier = c.system_identifier::text
                  AND l.timeline = CASE WHEN pg_is_in_recovery() THEN NULL
                                        ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END
                  AND l.home = %s
             ) AS known
        FROM pg_control_system() c
      """
          .formatted(HOME);

  /** One text, several statements: the lock lets one of several nodes add the row. */
  private static final String ADD =
      """
      BEGIN;
      LOCK TABLE lineage IN SHARE ROW EXCLUSIVE MODE;
      INSERT INTO lineage (mark, system_identifier, timeline, home, reason)
      SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 8))::bit(32)::integer,
             c.system_identifier::text, t.timeline, t.home,
             CASE WHEN EXISTS (SELECT 1 FROM lineage)
                  THEN 'another cluster, timeline or database'
                  ELSE 'first start' END
        FROM pg_control_system() c,
             LATERAL (SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
                             %s AS home) t
       WHERE NOT EXISTS (
               SELECT 1
                 FROM (SELECT system_identifier, timeline, home
                         FROM lineage ORDER BY no DESC LIMIT 1) l
                WHERE l.system_identifier = c.system_identifier::text
                  AND l.timeline = t.timeline AND l.home = t.home);
      COMMIT
      """
          .formatted(HOME);

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
