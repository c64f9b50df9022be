package dev.postroom.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be written about a lane.
 *
 * @param lineage of the claim
 * @param from the first number that this node handed over since the last settlement
 * @param to the number after the last one that was positively answered; {@code from} if none was
 * @param late dead letters that were positively answered out of their turn
 * @param then what becomes of the lane
 */
record Settlement(
    Claim.Key key, long token, int lineage, long from, long to, List<Long> late, Then then) {

  /** Both, where the other came before this one. */
  Settlement after(Settlement other) {
    List<Long> all = new ArrayList<>(other.late);
    all.addAll(late);
    return new Settlement(key, token, lineage, other.from, to, all, then);
  }

  /** What becomes of the lane. All but {@link Keep} end the lease, and count only with it. */
  sealed interface Then {

    /** It goes on. */
    record Keep() implements Then {}

    /** Others may have it, if there is more to do. */
    record Release() implements Then {}

    /**
     * It waits.
     *
     * @param charged whether the failure counts in {@code tries}
     * @param eventFault whether it was the event's
     */
    record Wait(Duration pause, boolean charged, boolean eventFault, String reason)
        implements Then {}

    /** It stands until somebody takes it up again. */
    record Park(boolean eventFault, String reason) implements Then {}

    /** The head becomes a dead letter; a gap takes its place. */
    record Skip(long seq, String reason) implements Then {}

    /** A dead letter that was sent once more and refused stays one; its lane goes on. */
    record PutBack(long seq, String reason) implements Then {}
  }
}
