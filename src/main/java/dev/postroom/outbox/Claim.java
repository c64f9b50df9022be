package dev.postroom.outbox;

import java.util.Comparator;
import java.util.List;

/**
 * A lane that this node has leased.
 *
 * @param token what this node proves its lease with
 * @param lineage which history of the database it was leased in
 * @param next the number that leaves next
 * @param known the last number that is there to leave
 * @param late how many dead letters are to be sent once more
 * @param tries failures at the head in a row
 * @param eventFaults those of them that were the event's
 * @param takenOver whether another node's lease had run out
 * @param heads the first events from {@code next}
 */
record Claim(
    Key key,
    long token,
    int lineage,
    long next,
    long known,
    int late,
    int tries,
    int eventFaults,
    boolean takenOver,
    List<Head> heads)
    implements Comparable<Claim> {

  @Override
  public int compareTo(Claim other) {
    return key.compareTo(other.key);
  }

  /** One room's way to one sink. In the order in which rows are locked, everywhere (K1). */
  record Key(int sinkNo, long roomNo) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparingInt(Key::sinkNo).thenComparingLong(Key::roomNo);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }
}
