package dev.postroom.outbox;

import io.quarkus.arc.All;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One {@link SinkPump} for every sink there is, kept in step with the table. Confined to the
 * relay's event loop.
 */
@ApplicationScoped
class Pumps {
  private static final Logger LOG = Logger.getLogger(Pumps.class);

  private final Sinks sinks;
  private final Map<String, SinkType> types = new HashMap<>();
  private final PumpParts parts;
  private final Map<Integer, SinkPump> pumps = new ConcurrentHashMap<>();
  private volatile boolean any;
  private @Nullable List<Long> seen;
  private Future<Void> refreshing = Future.succeededFuture();

  Pumps(Sinks sinks, @All List<SinkType> types, PumpParts parts) {
    this.sinks = sinks;
    types.forEach(type -> this.types.put(type.name(), type));
    this.parts = parts;
  }

  /** Whether there is any sink. Safe for any thread. */
  boolean any() {
    return any;
  }

  Collection<SinkPump> all() {
    return pumps.values();
  }

  /** Safe for any thread. */
  @Nullable SinkPump of(int sinkNo) {
    return pumps.get(sinkNo);
  }

  /**
   * Reads the sinks if their last changes are not those that were seen.
   *
   * @return once they are read; fails if they cannot be
   */
  Future<Void> refresh(List<Long> changed) {
    if (!refreshing.isComplete()) {
      return refreshing;
    }
    if (changed.equals(seen)) {
      return Future.succeededFuture();
    }
    Promise<Void> done = Promise.promise();
    refreshing = done.future();
    parts
        .loop()
        .on(
            Futures.of(sinks.all()),
            rows -> {
              seen = rows.stream().map(SinkRow::changed).toList();
              adopt(rows);
              done.complete();
            },
            failure -> {
              LOG.debugf("Sinks cannot be read: %s", failure.getMessage());
              done.fail(failure);
            });
    return refreshing;
  }

  private void adopt(List<SinkRow> rows) {
    Set<Integer> gone = new HashSet<>(pumps.keySet());
    for (SinkRow row : rows) {
      SinkType type = types.get(row.type());
      if (type == null) {
        LOG.warnf(
            "Sink %s is of the type %s, which this version does not have", row.id(), row.type());
        continue;
      }
      gone.remove(row.no());
      adopt(row, type);
    }
    for (Integer no : gone) {
      SinkPump pump = pumps.remove(no);
      if (pump != null) {
        pump.close();
      }
    }
    any = !pumps.isEmpty();
  }

  /** One that cannot be opened holds up no other; what it is to get waits. */
  private void adopt(SinkRow row, SinkType type) {
    SinkPump pump = pumps.get(row.no());
    if (pump != null && pump.sink().changed() == row.changed()) {
      return;
    }
    try {
      Sink target = type.open(row);
      if (pump == null) {
        pump = new SinkPump(row, target, parts, this::disable);
        pumps.put(row.no(), pump);
      } else {
        pump.changed(row, target);
      }
      // What has been waiting for it may be of long ago, which no look of lately sees.
      pump.kick();
    } catch (RuntimeException e) {
      LOG.errorf(e, "Sink %s cannot be opened; its events wait", row.id());
    }
  }

  /** If it is still as it was when it said so. Whatever came of it, its row says what is to be. */
  private Future<Boolean> disable(SinkRow sink, String reason) {
    return Futures.of(sinks.disable(sink.no(), sink.changed(), reason))
        .onSuccess(
            done -> {
              if (done) {
                LOG.warnf("Sink %s is disabled: %s", sink.id(), reason);
              }
              parts.loop().run(() -> seen = null);
            })
        .onFailure(
            failure ->
                LOG.warnf(
                    "Sink %s is to be disabled (%s), which is tried again: %s",
                    sink.id(), reason, failure.getMessage()));
  }

  /** Runs that have not ended. */
  List<LaneRun> running() {
    List<LaneRun> all = new ArrayList<>();
    pumps.values().forEach(pump -> all.addAll(pump.running()));
    return all;
  }
}
