package dev.postroom.outbox;

import dev.postroom.db.Db;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.mutiny.Uni;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;

/**
 * How far every sink has got, looked up every quarter of a minute: for gauges and for health. Only
 * lanes with something to do are counted, so rooms at rest cost nothing. What nobody has taken out
 * of the outbox waits for every sink. Safe for any thread.
 */
@ApplicationScoped
public class RelayStatus {
  private static final Logger LOG = Logger.getLogger(RelayStatus.class);

  /** The age of the oldest undelivered event is exact up to this many waiting lanes of a sink. */
  private static final int LANES = 10_000;

  private static final String LOOK =
      """
      WITH unrung AS MATERIALIZED (
        SELECT extract(epoch FROM statement_timestamp() - accepted_at) AS age
          FROM (SELECT room_no, first_seq FROM outbox ORDER BY no LIMIT 1) o
          JOIN message ON message.room_no = o.room_no AND message.seq = o.first_seq
      )
      SELECT sink.no, sink.id, sink.state = 'active' AS active,
             count(l.state) FILTER (WHERE l.state = 'ready') AS ready,
             count(l.state) FILTER (WHERE l.state = 'leased') AS leased,
             count(l.state) FILTER (WHERE l.state = 'backoff') AS backoff,
             count(l.state) FILTER (WHERE l.state = 'parked') AS parked,
             coalesce(greatest(extract(epoch FROM statement_timestamp()
                                 - min(l.due_at) FILTER (WHERE l.state = 'ready')),
                               (SELECT age FROM unrung)), 0)::float8 AS ready_age,
             coalesce(greatest(extract(epoch FROM statement_timestamp() - min(l.accepted_at)),
                               (SELECT age FROM unrung)), 0)::float8 AS undelivered_age,
             (SELECT count(*) FROM dead_letter WHERE sink_no = sink.no) AS dead
        FROM sink
        LEFT JOIN LATERAL (
             SELECT lane.state, lane.due_at,
                    (SELECT accepted_at FROM message
                      WHERE message.room_no = lane.room_no AND message.seq = lane.next_seq)
                      AS accepted_at
               FROM ((SELECT * FROM lane WHERE sink_no = sink.no AND due_at IS NOT NULL
                       ORDER BY due_at LIMIT $1)
                     UNION ALL
                     (SELECT * FROM lane WHERE sink_no = sink.no AND state = 'parked'
                       ORDER BY room_no LIMIT $1)) lane) l ON true
       WHERE sink.deleted_at IS NULL
       GROUP BY sink.no, sink.id, sink.state
       ORDER BY sink.no
      """;

  private final Db db;
  private final Pumps pumps;
  private final RelayConfig config;
  private final MeterRegistry registry;
  private final Map<String, SinkStatus> latest = new ConcurrentHashMap<>();

  RelayStatus(Db db, Pumps pumps, RelayConfig config, MeterRegistry registry) {
    this.db = db;
    this.pumps = pumps;
    this.config = config;
    this.registry = registry;
  }

  @Scheduled(
      identity = "relay status",
      every = "${postroom.relay.sweep:15S}",
      concurrentExecution = ConcurrentExecution.SKIP)
  Uni<Void> look() {
    return db.many(LOOK, Tuple.of(LANES), this::read)
        .invoke(this::keep)
        .replaceWithVoid()
        .onFailure()
        .invoke(failure -> LOG.debugf("No status of sinks: %s", failure.getMessage()))
        .onFailure()
        .recoverWithNull();
  }

  /** Of every sink, as it was at the last look. */
  public List<SinkStatus> sinks() {
    return List.copyOf(latest.values());
  }

  private SinkStatus read(Row row) {
    SinkPump pump = pumps.of(row.getInteger("no"));
    return new SinkStatus(
        row.getString("id"),
        row.getBoolean("active"),
        pump == null ? Circuit.State.CLOSED.name() : pump.circuitState().name(),
        Map.of(
            "ready", row.getLong("ready"),
            "leased", row.getLong("leased"),
            "backoff", row.getLong("backoff"),
            "parked", row.getLong("parked")),
        row.getLong("dead"),
        age(row.getDouble("ready_age")),
        age(row.getDouble("undelivered_age")),
        config.alarmAfter());
  }

  private static Duration age(double seconds) {
    return Duration.ofMillis(Math.max(0, (long) (seconds * 1000)));
  }

  private void keep(List<SinkStatus> sinks) {
    for (SinkStatus sink : sinks) {
      if (latest.put(sink.id(), sink) == null) {
        register(sink.id());
      }
    }
    Set<String> gone = new HashSet<>(latest.keySet());
    sinks.forEach(sink -> gone.remove(sink.id()));
    gone.forEach(this::forget);
  }

  /** With all meters of that sink, or those of deleted ones would only ever become more. */
  private void forget(String id) {
    latest.remove(id);
    registry.getMeters().stream()
        .filter(meter -> id.equals(meter.getId().getTag("sink")))
        .forEach(registry::remove);
  }

  private void register(String id) {
    gauge("postroom.relay.ready.oldest", id, s -> seconds(s.readyOldest()));
    gauge("postroom.relay.undelivered.oldest", id, s -> seconds(s.undeliveredOldest()));
    gauge("postroom.relay.dead.letters", id, SinkStatus::deadLetters);
    gauge("postroom.relay.circuit.open", id, s -> s.circuit().equals("CLOSED") ? 0 : 1);
    for (String state : List.of("ready", "leased", "backoff", "parked")) {
      Gauge.builder("postroom.relay.lanes", latest, all -> value(all, id, s -> count(s, state)))
          .tags(Tags.of("sink", id, "state", state))
          .register(registry);
    }
  }

  private static double count(SinkStatus sink, String state) {
    return sink.lanes().getOrDefault(state, 0L);
  }

  private void gauge(String name, String id, ToDoubleFunction<SinkStatus> of) {
    Gauge.builder(name, latest, all -> value(all, id, of)).tag("sink", id).register(registry);
  }

  private static double value(
      Map<String, SinkStatus> all, String id, ToDoubleFunction<SinkStatus> of) {
    SinkStatus sink = all.get(id);
    return sink == null ? 0 : of.applyAsDouble(sink);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  /**
   * One sink at the last look.
   *
   * @param active false while it is paused or disabled
   * @param circuit as this node sees it: closed, half open or open
   * @param lanes how many are in each state; idle ones are not counted
   * @param readyOldest how long the lane that waits longest could have left
   * @param undeliveredOldest the age of the oldest event that has not been handed over
   */
  public record SinkStatus(
      String id,
      boolean active,
      String circuit,
      Map<String, Long> lanes,
      long deadLetters,
      Duration readyOldest,
      Duration undeliveredOldest,
      Duration alarmAfter) {

    /** Whether it is we who hold it up: it may be called, and events wait all the same. */
    public boolean isStuck() {
      return active && circuit.equals("CLOSED") && readyOldest.compareTo(alarmAfter) > 0;
    }
  }
}
