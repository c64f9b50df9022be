package dev.postroom.accept;

import dev.postroom.db.Db;
import dev.postroom.room.RoomConfig;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes away what need not be kept any more: text, keys, closed rooms. By default only the last.
 *
 * <p>A repeat of a purged message is still answered as a duplicate, because its key, its hash and
 * its number stay. What a sink has still to be handed, and what it would not take, stays whatever
 * its age, in closed rooms too (H1). Each statement touches at most {@value #SLICE} messages and
 * leaves a locked room for the next pass (K3, K7).
 *
 * <p>Safe for any thread; passes do not overlap on one node, and may on several.
 */
@ApplicationScoped
class Purge {
  private static final Logger LOG = Logger.getLogger(Purge.class);
  private static final int SLICE = 1_000;
  private static final int ROOMS = 500;

  /** While a sink is made, it is not known from where on it wants its rooms. */
  private static final Db.Statement HOLD_SINKS =
      new Db.Statement("LOCK TABLE sink IN ROW SHARE MODE", Tuple.tuple());

  private final Db db;
  private final RoomConfig config;

  Purge(Db db, RoomConfig config) {
    this.db = db;
    this.config = config;
  }

  /**
   * Before anything begins to work, or else it is torn down at work: the scheduler begins at 0, and
   * what it does in a service that is refused would add lines to the one that says why.
   */
  void onStart(@Observes @Priority(-20) StartupEvent started) {
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
        .chain(
            () -> untilNothing(PurgeStatements.EMPTY, Tuple.of(seconds(config.closedFor()), SLICE)))
        .chain(
            () ->
                untilNothing(PurgeStatements.REMOVE, Tuple.of(seconds(config.closedFor()), ROOMS)))
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
            PurgeStatements.OVERDUE,
            room ->
                untilNothing(
                    PurgeStatements.TRIM, Tuple.of(room.no, age, count, SLICE, room.below)));
  }

  private Uni<Void> forgetAll() {
    Optional<Double> age = config.keysFor().map(Purge::seconds);
    return age.isEmpty()
        ? Uni.createFrom().voidItem()
        : rooms(
            0L,
            after -> Tuple.of(after, age.get(), ROOMS),
            PurgeStatements.FORGETTABLE,
            room -> untilNothing(PurgeStatements.FORGET, Tuple.of(room.no, age.get(), SLICE)));
  }

  /** Page by page, so that any number of rooms needs little memory. */
  private Uni<Void> rooms(
      long after, LongFunction<Tuple> arguments, String sql, Function<Found, Uni<Void>> work) {
    return db.many(
            sql, arguments.apply(after), row -> new Found(row.getLong("no"), row.getLong("below")))
        .chain(
            page ->
                page.isEmpty()
                    ? Uni.createFrom().voidItem()
                    : inOrder(page, work)
                        .chain(() -> rooms(page.get(page.size() - 1).no, arguments, sql, work)));
  }

  private static Uni<Void> inOrder(List<Found> page, Function<Found, Uni<Void>> work) {
    Uni<Void> all = Uni.createFrom().voidItem();
    for (Found room : page) {
      all = all.chain(() -> work.apply(room));
    }
    return all;
  }

  private Uni<Void> untilNothing(String sql, Tuple arguments) {
    return Uni.createFrom()
        .completionStage(
            () ->
                db.transaction(HOLD_SINKS, new Db.Statement(sql, arguments))
                    .map(RowSet::rowCount)
                    .toCompletionStage())
        .repeat()
        .whilst(touched -> touched > 0)
        .collect()
        .last()
        .replaceWithVoid();
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  /**
   * A room with something to do.
   *
   * @param below only numbers below are the matter
   */
  private record Found(long no, long below) {}
}
