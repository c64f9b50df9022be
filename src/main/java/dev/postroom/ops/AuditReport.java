package dev.postroom.ops;

import java.util.ArrayList;
import java.util.List;
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
   * Has every message its record for the hand-over, and every record its message (A4)?
   *
   * @param missing messages without a record
   * @param firstMissing the smallest seq of them
   * @param stray records without a message
   */
  public record Outbox(long missing, @Nullable Long firstMissing, long stray) {
    public boolean isComplete() {
      return missing == 0 && stray == 0;
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
        ? "%s is clean: %s, keys unique, outbox complete.".formatted(room, numbersInWords())
        : "%s is NOT clean: %s.".formatted(room, String.join("; ", faults()));
  }

  private String numbersInWords() {
    return messages == 0 ? "no messages" : "numbers %d to %d dense".formatted(keysFrom, head);
  }

  private List<String> faults() {
    List<String> faults = new ArrayList<>();
    add(faults, numbers.missing, "numbers missing, the first is " + numbers.firstMissing);
    add(faults, numbers.repeated, "numbers used again");
    add(faults, numbers.beyondHead, "messages beyond the head " + head);
    add(faults, keys.repeated, "command keys with more than one message");
    add(
        faults,
        outbox.missing,
        "messages without outbox record, the first is " + outbox.firstMissing);
    add(faults, outbox.stray, "outbox records without message");
    add(faults, texts.missing, "messages without text");
    return faults;
  }

  private static void add(List<String> faults, long count, String what) {
    if (count > 0) {
      faults.add(count + " " + what);
    }
  }
}
