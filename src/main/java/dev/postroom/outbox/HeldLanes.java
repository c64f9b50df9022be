package dev.postroom.outbox;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The lanes of one sink that this node holds.
 *
 * <p>Those whose sink is being called are bounded by its circuit. A lane that only waits for its
 * mark to be written is no load for the sink, so its place is another's at once: with the place
 * taken until then, a busy database – or a second sink that has more to be written – would slow
 * down what a healthy sink is handed. But it is what a crash repeats, so these have a bound too.
 *
 * <p>Confined to the relay's event loop.
 */
final class HeldLanes {
  /** Lanes held at most, for each that may be calling. */
  private static final int HELD_PER_CALL = 4;

  private final int most;
  private final Map<Long, LaneRun> all = new HashMap<>();
  private final Set<LaneRun> calling = new HashSet<>();

  /**
   * @param calls lanes of the sink that may be calling it at once
   */
  HeldLanes(int calls) {
    this.most = HELD_PER_CALL * calls;
  }

  /** How many more may be taken if {@code limit} may be calling. */
  int free(int limit) {
    return Math.min(limit - calling.size(), most - all.size());
  }

  void taken(LaneRun run) {
    // One that this node had given up may come back before its run has noticed.
    all.put(run.claim().key().roomNo(), run);
    calling.add(run);
  }

  /**
   * @return whether no lane is left that calls
   */
  boolean called(LaneRun run) {
    calling.remove(run);
    return calling.isEmpty();
  }

  void ended(LaneRun run) {
    all.remove(run.claim().key().roomNo(), run);
  }

  Collection<LaneRun> all() {
    return all.values();
  }
}
