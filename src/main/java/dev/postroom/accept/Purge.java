package dev.postroom.accept;

import dev.postroom.db.Db;
import dev.postroom.room.RoomConfig;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes away what need not be kept any more: text, keys, closed rooms. By default only the last.
 *
 * <p>A repeat of a purged message is still answered as a duplicate, because its key, its hash and
 * its number stay. Each statement touches at most {@value #SLICE} messages and leaves a locked room
 * for the next pass (K3, K7). Outbox records of purged messages go with the text; there is no sink
 * yet that could want them. Once there is one, only what every sink was handed may go (H1).
 *
 * <p>Safe for any thread; passes do not overlap on one node, and may on several.
 */
@ApplicationScoped
class Purge {
  private static final Logger LOG = Logger.getLogger(Purge.class);
  private static final int SLICE = 1_000;
  private static final int ROOMS = 500;

  private static final String OVERDUE =
      """
      SELECT no FROM room
       WHERE no > $1 AND closed_at IS NULL AND kept_from <= head
         AND (head - kept_from + 1 > $3::bigint
              OR EXISTS (SELECT 1 FROM message
                          WHERE room_no = no AND seq = kept_from
                            AND accepted_at < now() - make_interval(secs => $2::float8)))
       ORDER BY no LIMIT $4
      """;

  /** Up to the first message that is young enough, or to the first of the newest so many. */
  private static final String TRIM =
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
               greatest(
                 CASE WHEN $2::float8 IS NULL THEN 0
                      ELSE coalesce(
                        (SELECT min(seq) FROM slice
                          WHERE accepted_at >= now() - make_interval(secs => $2::float8)),
                        (SELECT max(seq) + 1 FROM slice)) END,
                 CASE WHEN $3::bigint IS NULL THEN 0
                      ELSE least(held.head - $3::bigint + 1,
                                 (SELECT max(seq) + 1 FROM slice)) END) AS to_seq
          FROM held
      ), silenced AS (
        UPDATE message SET text = NULL FROM bound
         WHERE room_no = $1 AND seq >= from_seq AND seq < to_seq
      ), unrung AS (
        DELETE FROM outbox USING bound
         WHERE room_no = $1 AND seq >= from_seq AND seq < to_seq
      )
      UPDATE room SET kept_from = to_seq FROM bound WHERE no = $1 AND to_seq > from_seq
      """;

  private static final String FORGETTABLE =
      """
      SELECT no FROM room
       WHERE no > $1 AND closed_at IS NULL AND keys_from < kept_from
         AND EXISTS (SELECT 1 FROM message
                      WHERE room_no = no AND seq = keys_from
                        AND accepted_at < now() - make_interval(secs => $2::float8))
       ORDER BY no LIMIT $3
      """;

  private static final String FORGET =
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

  private static final String EMPTY =
      """
      WITH old AS MATERIALIZED (
        SELECT room_no, seq
          FROM room CROSS JOIN LATERAL (
               SELECT room_no, seq FROM message WHERE room_no = room.no ORDER BY seq LIMIT $2) m
         WHERE closed_at < now() - make_interval(secs => $1::float8) LIMIT $2
      ), unrung AS (
        DELETE FROM outbox USING old WHERE outbox.room_no = old.room_no AND outbox.seq = old.seq
      )
      DELETE FROM message USING old WHERE message.room_no = old.room_no AND message.seq = old.seq
      """;

  private static final String REMOVE =
      """
      DELETE FROM room
       WHERE closed_at < now() - make_interval(secs => $1::float8)
         AND NOT EXISTS (SELECT 1 FROM message WHERE room_no = room.no)
      """;

  private final Db db;
  private final RoomConfig config;

  Purge(Db db, RoomConfig config) {
    this.db = db;
    this.config = config;
  }

  /** Before anything begins to work, or else it is torn down at work. */
  void onStart(@Observes @Priority(50) StartupEvent started) {
    String wrong = wrong(config);
    if (wrong != null) {
      throw new ConfigurationException(wrong);
    }
  }

  /** What is wrong with the settings, or null. */
  static @Nullable String wrong(RoomConfig config) {
    if (config.keysFor().isEmpty()) {
      return null;
    }
    Duration keys = config.keysFor().get();
    if (config.textFor().isEmpty() && config.textCount().isEmpty()) {
      return "postroom.keep.keys-for="
          + keys
          + " would drop the keys of messages whose text is kept for ever. Set"
          + " postroom.keep.text-for or postroom.keep.text-count as well, or remove it.";
    }
    if (config.textFor().isPresent() && keys.compareTo(config.textFor().get()) < 0) {
      return "postroom.keep.keys-for="
          + keys
          + " is shorter than postroom.keep.text-for="
          + config.textFor().get()
          + ". Keys must be kept at least as long as text: raise the one or lower the other.";
    }
    return null;
  }

  @Scheduled(
      identity = "purge",
      every = "${postroom.keep.every:1M}",
      delayed = "${postroom.keep.every:1M}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> pass() {
    return trimAll()
        .chain(this::forgetAll)
        .chain(() -> untilNothing(EMPTY, Tuple.of(seconds(config.closedFor()), SLICE)))
        .chain(() -> db.run(REMOVE, Tuple.of(seconds(config.closedFor()))))
        .replaceWithVoid()
        .onFailure()
        .recoverWithItem(
            failure -> {
              LOG.warnf("purge ended early, the next pass goes on: %s", failure.getMessage());
              return null;
            });
  }

  private Uni<Void> trimAll() {
    Double age = config.textFor().map(Purge::seconds).orElse(null);
    Long count = config.textCount().isPresent() ? config.textCount().getAsLong() : null;
    return age == null && count == null
        ? Uni.createFrom().voidItem()
        : rooms(
            0L,
            after -> Tuple.of(after, age, count, ROOMS),
            OVERDUE,
            no -> untilNothing(TRIM, Tuple.of(no, age, count, SLICE)));
  }

  private Uni<Void> forgetAll() {
    Optional<Double> age = config.keysFor().map(Purge::seconds);
    return age.isEmpty()
        ? Uni.createFrom().voidItem()
        : rooms(
            0L,
            after -> Tuple.of(after, age.get(), ROOMS),
            FORGETTABLE,
            no -> untilNothing(FORGET, Tuple.of(no, age.get(), SLICE)));
  }

  /** Page by page, so that any number of rooms needs little memory. */
  private Uni<Void> rooms(
      long after, LongFunction<Tuple> arguments, String sql, LongFunction<Uni<Void>> work) {
    return db.many(sql, arguments.apply(after), (Row row) -> row.getLong(0))
        .chain(
            page ->
                page.isEmpty()
                    ? Uni.createFrom().voidItem()
                    : inOrder(page, work)
                        .chain(() -> rooms(page.get(page.size() - 1), arguments, sql, work)));
  }

  private static Uni<Void> inOrder(List<Long> page, LongFunction<Uni<Void>> work) {
    Uni<Void> all = Uni.createFrom().voidItem();
    for (Long no : page) {
      all = all.chain(() -> work.apply(no));
    }
    return all;
  }

  private Uni<Void> untilNothing(String sql, Tuple arguments) {
    return db.run(sql, arguments)
        .repeat()
        .whilst(touched -> touched > 0)
        .collect()
        .last()
        .replaceWithVoid();
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
