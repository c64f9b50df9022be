package dev.postroom.bench.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What is counted over all members of a load. Safe for any thread. */
public final class Tally {
  private final LongAdder accepted = new LongAdder();
  private final LongAdder repeatAcks = new LongAdder();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private final LongAdder outOfOrder = new LongAdder();
  private final LongAdder corrupt = new LongAdder();
  private final LongAdder joins = new LongAdder();
  private final Map<String, LongAdder> errors = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> notes = new ConcurrentHashMap<>();

  void countAccepted() {
    accepted.increment();
  }

  void countRepeatAck() {
    repeatAcks.increment();
  }

  void countDelivery(Received.Verdict verdict) {
    delivered.increment();
    if (verdict == Received.Verdict.REPEATED) {
      repeated.increment();
    } else if (verdict == Received.Verdict.OUT_OF_ORDER) {
      outOfOrder.increment();
    }
  }

  void countCorrupt() {
    corrupt.increment();
  }

  void countJoin() {
    joins.increment();
  }

  void countError(String code) {
    errors.computeIfAbsent(code, unseen -> new LongAdder()).increment();
  }

  void countNote(String what) {
    notes.computeIfAbsent(what, unseen -> new LongAdder()).increment();
  }

  /** Commands that were acked for the first time. */
  public long accepted() {
    return accepted.sum();
  }

  /** Further acks of repeats of the same command. */
  public long repeatAcks() {
    return repeatAcks.sum();
  }

  /** Messages that members were sent, repeated ones too. */
  public long delivered() {
    return delivered.sum();
  }

  public long repeated() {
    return repeated.sum();
  }

  public long outOfOrder() {
    return outOfOrder.sum();
  }

  /** Deliveries whose text is not what was sent under that id. */
  public long corrupt() {
    return corrupt.sum();
  }

  /** Answers to joins, first ones and those after a return. */
  public long joins() {
    return joins.sum();
  }

  /** Refusals, failed connections and the like, by code. */
  public Map<String, Long> errors() {
    return sums(errors);
  }

  /** What else peers said that is worth counting. */
  public Map<String, Long> notes() {
    return sums(notes);
  }

  private static Map<String, Long> sums(Map<String, LongAdder> counts) {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((code, count) -> sums.put(code, count.sum()));
    return sums;
  }
}
