package dev.postroom.ops;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the tables say about one room at one moment (S5).
 *
 * <p>Pure: made of counts, it judges and puts the judgement into a sentence.
 *
 * @param head the last seq that the room says it has handed out
 * @param keysFrom the first seq whose key and result are kept
 * @param keptFrom the first seq whose text is kept
 * @param messages rows from {@code keysFrom} on
 * @param lanes the room's way to every sink that wants it
 */
public record AuditReport(
    String room,
    String epoch,
    long head,
    long keysFrom,
    long keptFrom,
    long messages,
    Numbers numbers,
    Keys keys,
    Outbox outbox,
    List<Lane> lanes,
    Texts texts) {

  /**
   * Is every seq from {@code keysFrom} to the head there, once, and none beyond (N1)?
   *
   * @param missing how many are not there
   * @param firstMissing the smallest of them
   * @param repeated rows whose seq another row has too
   * @param beyondHead rows with a seq greater than the head
   */
  public record Numbers(long missing, @Nullable Long firstMissing, long repeated, long beyondHead) {
    public boolean isDense() {
      return missing == 0 && repeated == 0 && beyondHead == 0;
    }
  }

  /**
   * Is there one message per command key (A1)?
   *
   * @param repeated keys with more than one message
   */
  public record Keys(long repeated) {
    public boolean isUnique() {
      return repeated == 0;
    }
  }

  /**
   * Is everything accepted either handed over or known to be pending (A4, H1)?
   *
   * @param waiting messages whose record has not reached the lanes yet
   * @param overlapping records that repeat what another one says
   * @param beyondHead records of messages beyond the head
   * @param faultyLanes lanes with a fault
   */
  public record Outbox(long waiting, long overlapping, long beyondHead, long faultyLanes) {
    public boolean isComplete() {
      return overlapping == 0 && beyondHead == 0 && faultyLanes == 0;
    }
  }

  /**
   * Where the hand-over to one sink stands.
   *
   * @param state idle, ready, delivering, backoff or parked
   * @param paused whether the sink as a whole is paused or disabled
   * @param nextSeq the number that leaves next
   * @param knownSeq the last number that the lane knows of
   * @param pending how many it has still to hand over
   * @param deadLetters numbers that the sink would not take
   * @param fault what is wrong with it, or null
   */
  public record Lane(
      String sink,
      String state,
      boolean paused,
      long nextSeq,
      long knownSeq,
      long pending,
      long deadLetters,
      @Nullable String fault) {

    String inWords() {
      StringBuilder words = new StringBuilder("sink ").append(sink);
      words.append(paused ? " (paused) " : " ");
      words.append(
          pending == 0
              ? "has all up to " + knownSeq
              : "is " + state + " at " + nextSeq + " with " + pending + " pending");
      if (deadLetters > 0) {
        words.append(", dead letters: ").append(deadLetters);
      }
      return words.toString();
    }
  }

  /**
   * Has every message from {@code keptFrom} on its text?
   *
   * @param missing messages without
   */
  public record Texts(long missing) {
    public boolean isComplete() {
      return missing == 0;
    }
  }

  public boolean isClean() {
    return numbers.isDense() && keys.isUnique() && outbox.isComplete() && texts.isComplete();
  }

  /** The whole report in one line for people. */
  public String getSentence() {
    return isClean()
        ? "%s is clean: %s, keys unique, outbox complete%s."
            .formatted(room, numbersInWords(), lanesInWords())
        : "%s is NOT clean: %s.".formatted(room, String.join("; ", faults()));
  }

  private String numbersInWords() {
    return messages == 0 ? "no messages" : "numbers %d to %d dense".formatted(keysFrom, head);
  }

  private String lanesInWords() {
    return lanes.stream().map(lane -> "; " + lane.inWords()).collect(Collectors.joining());
  }

  private List<String> faults() {
    List<String> faults = new ArrayList<>();
    add(faults, numbers.missing, "numbers missing, the first is " + numbers.firstMissing);
    add(faults, numbers.repeated, "numbers used again");
    add(faults, numbers.beyondHead, "messages beyond the head " + head);
    add(faults, keys.repeated, "command keys with more than one message");
    add(faults, outbox.overlapping, "outbox records that repeat another");
    add(faults, outbox.beyondHead, "outbox records beyond the head " + head);
    for (Lane lane : lanes) {
      if (lane.fault != null) {
        faults.add("the lane to sink " + lane.sink + " " + lane.fault);
      }
    }
    add(faults, texts.missing, "messages without text");
    return faults;
  }

  private static void add(List<String> faults, long count, String what) {
    if (count > 0) {
      faults.add(count + " " + what);
    }
  }
}
