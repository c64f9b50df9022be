package dev.postroom.accept;

/**
 * The SQL of the {@link Purge}. What a live sink has still to be handed is below nothing that any
 * of it deletes (H1).
 *
 * <p>Pure: texts.
 */
final class PurgeStatements {

  /** From where on lanes and dead letters want the room of that number; null if they do not. */
  private static final String WANTED =
      """
      least((SELECT min(l.next_seq)
               FROM sink CROSS JOIN LATERAL (
                    SELECT next_seq FROM lane
                     WHERE sink_no = sink.no AND room_no = %1$s AND next_seq <= known_seq LIMIT 1) l
              WHERE sink.deleted_at IS NULL),
            (SELECT min(d.seq)
               FROM sink CROSS JOIN LATERAL (
                    SELECT seq FROM dead_letter
                     WHERE sink_no = sink.no AND room_no = %1$s ORDER BY seq LIMIT 1) d
              WHERE sink.deleted_at IS NULL))""";

  /** The first numbers that have not yet reached any lane. */
  private static final String UNRUNG =
      "(SELECT room_no, min(first_seq) AS first_seq FROM outbox GROUP BY room_no) unrung";

  /**
   * With each the number below which nothing was waiting in the outbox: what leaves the outbox
   * after this look is in the lanes at the next.
   */
  static final String OVERDUE =
      """
      SELECT no, coalesce(unrung.first_seq, head + 1) AS below
        FROM room LEFT JOIN %s ON unrung.room_no = no
       WHERE no > $1 AND closed_at IS NULL AND kept_from <= head
         AND (head - kept_from + 1 > $3::bigint
              OR EXISTS (SELECT 1 FROM message
                          WHERE room_no = no AND seq = kept_from
                            AND accepted_at < now() - make_interval(secs => $2::float8)))
       ORDER BY no LIMIT $4
      """
          .formatted(UNRUNG);

  /** Up to the first message that is young enough, or to the first of the newest so many. */
  static final String TRIM =
      """
      WITH held AS MATERIALIZED (
        SELECT no, head, kept_from FROM room
         WHERE no = $1 AND closed_at IS NULL FOR NO KEY UPDATE SKIP LOCKED
      ), slice AS MATERIALIZED (
        SELECT m.seq, m.accepted_at
          FROM held CROSS JOIN LATERAL (
               SELECT seq, accepted_at FROM message
                WHERE room_no = held.no AND seq >= held.kept_from ORDER BY seq LIMIT $4) m
      ), bound AS MATERIALIZED (
        SELECT held.kept_from AS from_seq,
               least($5::bigint, %s, greatest(
                 CASE WHEN $2::float8 IS NULL THEN 0
                      ELSE coalesce(
                        (SELECT min(seq) FROM slice
                          WHERE accepted_at >= now() - make_interval(secs => $2::float8)),
                        (SELECT max(seq) + 1 FROM slice)) END,
                 CASE WHEN $3::bigint IS NULL THEN 0
                      ELSE least(held.head - $3::bigint + 1,
                                 (SELECT max(seq) + 1 FROM slice)) END)) AS to_seq
          FROM held
      ), silenced AS (
        UPDATE message SET text = NULL FROM bound
         WHERE room_no = $1 AND seq >= from_seq AND seq < to_seq
      )
      UPDATE room SET kept_from = to_seq FROM bound WHERE no = $1 AND to_seq > from_seq
      """
          .formatted(WANTED.formatted("$1"));

  static final String FORGETTABLE =
      """
      SELECT no, kept_from AS below FROM room
       WHERE no > $1 AND closed_at IS NULL AND keys_from < kept_from
         AND EXISTS (SELECT 1 FROM message
                      WHERE room_no = no AND seq = keys_from
                        AND accepted_at < now() - make_interval(secs => $2::float8))
       ORDER BY no LIMIT $3
      """;

  static final String FORGET =
      """
      WITH held AS MATERIALIZED (
        SELECT no, kept_from, keys_from FROM room
         WHERE no = $1 AND closed_at IS NULL FOR NO KEY UPDATE SKIP LOCKED
      ), slice AS MATERIALIZED (
        SELECT m.seq, m.accepted_at
          FROM held CROSS JOIN LATERAL (
               SELECT seq, accepted_at FROM message
                WHERE room_no = held.no AND seq >= held.keys_from AND seq < held.kept_from
                ORDER BY seq LIMIT $3) m
      ), bound AS MATERIALIZED (
        SELECT keys_from AS from_seq,
               coalesce((SELECT min(seq) FROM slice
                          WHERE accepted_at >= now() - make_interval(secs => $2::float8)),
                        (SELECT max(seq) + 1 FROM slice)) AS to_seq
          FROM held
      ), forgotten AS (
        DELETE FROM message USING bound
         WHERE room_no = $1 AND seq >= from_seq AND seq < to_seq
      )
      UPDATE room SET keys_from = to_seq FROM bound WHERE no = $1 AND to_seq > from_seq
      """;

  static final String EMPTY =
      """
      WITH old AS MATERIALIZED (
        SELECT m.room_no, m.seq
          FROM room LEFT JOIN %s ON unrung.room_no = no
         CROSS JOIN LATERAL (SELECT coalesce(least(unrung.first_seq, %s), head + 1) AS seq
                             OFFSET 0) wanted
         CROSS JOIN LATERAL (
               SELECT room_no, seq FROM message
                WHERE room_no = room.no AND seq < wanted.seq ORDER BY seq LIMIT $2) m
         WHERE closed_at < now() - make_interval(secs => $1::float8) LIMIT $2
      )
      DELETE FROM message USING old WHERE message.room_no = old.room_no AND message.seq = old.seq
      """
          .formatted(UNRUNG, WANTED.formatted("room.no"));

  /**
   * What deleted sinks left is not waited for; it goes by itself. A room that somebody holds, or a
   * lane of it, is left for the next pass.
   */
  static final String REMOVE =
      """
      WITH gone AS MATERIALIZED (
        SELECT no FROM room
         WHERE closed_at < now() - make_interval(secs => $1::float8)
           AND NOT EXISTS (SELECT 1 FROM message WHERE room_no = room.no)
           AND NOT EXISTS (SELECT 1 FROM outbox WHERE room_no = room.no)
           AND %s IS NULL
         ORDER BY no LIMIT $2
           FOR UPDATE SKIP LOCKED
      ), kept AS MATERIALIZED (
        SELECT lane.sink_no, lane.room_no
          FROM sink CROSS JOIN gone
          JOIN lane ON lane.sink_no = sink.no AND lane.room_no = gone.no
         WHERE sink.deleted_at IS NULL
      ), held AS MATERIALIZED (
        SELECT lane.sink_no, lane.room_no
          FROM kept JOIN lane ON lane.sink_no = kept.sink_no AND lane.room_no = kept.room_no
           FOR UPDATE OF lane SKIP LOCKED
      ), free AS MATERIALIZED (
        SELECT no FROM gone
         WHERE NOT EXISTS (SELECT sink_no, room_no FROM kept WHERE room_no = gone.no
                           EXCEPT SELECT sink_no, room_no FROM held)
      ), lanes AS (
        DELETE FROM lane USING held, free
         WHERE lane.sink_no = held.sink_no AND lane.room_no = held.room_no
           AND held.room_no = free.no
      )
      DELETE FROM room USING free WHERE room.no = free.no
      """
          .formatted(WANTED.formatted("room.no"));

  private PurgeStatements() {}
}
