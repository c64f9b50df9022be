package dev.postroom.outbox;

import io.vertx.core.Future;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The leases of this node's runs: renewed together, three times within their length.
 *
 * <p>A node that could not renew for two thirds of a lease, by its own monotonic clock, stops
 * publishing by itself, before anybody else may begin (D6). Confined to the relay's event loop.
 */
@ApplicationScoped
class Leases {
  private final Lanes lanes;
  private final Duration lease;
  private final long trustNanos;
  private final Map<LaneRun, Long> renewed = new HashMap<>();

  Leases(Lanes lanes, RelayConfig config) {
    this.lanes = lanes;
    this.lease = config.lease();
    this.trustNanos = lease.toNanos() * 2 / 3;
  }

  /** How often {@link #renew} is to be called. */
  Duration every() {
    return lease.dividedBy(3);
  }

  /**
   * @param asked when the lane was asked for: from then on its lease may have run
   */
  void taken(LaneRun run, long asked) {
    renewed.put(run, asked);
  }

  void ended(LaneRun run) {
    renewed.remove(run);
  }

  boolean isLost(LaneRun run) {
    Long at = renewed.get(run);
    return at == null || System.nanoTime() - at > trustNanos;
  }

  int held() {
    return renewed.size();
  }

  /** Failures change nothing: trust runs out. */
  void renew(RelayLoop loop) {
    List<LaneRun> runs = List.copyOf(renewed.keySet());
    if (runs.isEmpty()) {
      return;
    }
    long asked = System.nanoTime();
    Future<Map<Claim.Key, Long>> answer =
        lanes.renew(runs.stream().map(LaneRun::claim).toList(), lease);
    loop.on(
        answer,
        mine ->
            runs.forEach(
                run -> {
                  // Of a lane that this node took over from itself, the earlier run is not.
                  Claim claim = run.claim();
                  if (mine.getOrDefault(claim.key(), -1L) == claim.token()) {
                    renewed.replace(run, asked);
                  } else {
                    renewed.remove(run);
                  }
                }),
        failure -> {});
  }
}
