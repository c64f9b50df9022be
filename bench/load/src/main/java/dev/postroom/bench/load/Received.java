package dev.postroom.bench.load;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * What one member of a room has been sent, held against what it should have been sent. Pure;
 * confined to the member's event loop.
 */
final class Received {

  /** What a delivery was. */
  enum Verdict {
    GOOD,
    REPEATED,
    OUT_OF_ORDER
  }

  private final BitSet seen = new BitSet();

  /** For peers without numbers: the last command seen of each sender. */
  private final Map<Integer, Integer> lastOfSender = new HashMap<>();

  private long lastSeq;

  /**
   * Takes a delivery.
   *
   * @param seq the peer's number, which has to ascend; -1 if it has none, then each sender's
   *     commands have to come in the order in which they were sent
   * @param command its number in the room
   */
  Verdict take(long seq, int sender, int command) {
    if (seen.get(command)) {
      return Verdict.REPEATED;
    }
    seen.set(command);
    return seq < 0 ? bySender(sender, command) : bySeq(seq);
  }

  private Verdict bySeq(long seq) {
    if (seq <= lastSeq) {
      return Verdict.OUT_OF_ORDER;
    }
    lastSeq = seq;
    return Verdict.GOOD;
  }

  private Verdict bySender(int sender, int command) {
    int last = lastOfSender.getOrDefault(sender, -1);
    if (command < last) {
      return Verdict.OUT_OF_ORDER;
    }
    lastOfSender.put(sender, command);
    return Verdict.GOOD;
  }

  /** How many of these never came. */
  int missing(BitSet accepted) {
    BitSet missing = (BitSet) accepted.clone();
    missing.andNot(seen);
    return missing.cardinality();
  }
}
