package dev.postroom.accept;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A submission that may be accepted, on its way through the combiner. Compared by identity.
 *
 * <p>Made on any thread; its answer is written and read on the lane's event loop alone.
 */
final class Command {
  private final Submission submission;
  private final boolean mayCreate;
  private final Key key;
  private final Line line;
  // Tells our own row from an earlier one when an unknown outcome is looked up (A8).
  private final UUID messageId = UUID.randomUUID();
  private final byte[] hash;
  private final long bytes;
  private final Consumer<Outcome> whenDone;
  private final AtomicBoolean told = new AtomicBoolean();
  private final List<Command> repeats = new ArrayList<>(0);
  private Ledger.@Nullable Entry entry;
  private Outcome.@Nullable Refused refusal;

  /**
   * @param submission one that the rules let pass
   * @param mayCreate whether the room is made if there is none
   * @param whenDone told the outcome once, on any thread; must not fail
   */
  Command(Submission submission, boolean mayCreate, Consumer<Outcome> whenDone) {
    this.whenDone = whenDone;
    this.submission = submission;
    this.mayCreate = mayCreate;
    this.key =
        new Key(
            submission.room(), submission.principal().participant(), submission.clientMessageId());
    this.line = new Line(submission.origin(), submission.room());
    this.hash = ContentHash.of(submission.text());
    this.bytes = SubmissionRules.utf8Length(submission.text());
  }

  Submission submission() {
    return submission;
  }

  String room() {
    return submission.room();
  }

  boolean mayCreate() {
    return mayCreate;
  }

  Key key() {
    return key;
  }

  Line line() {
    return line;
  }

  /** The message's id if this command is the first of its key. */
  UUID messageId() {
    return messageId;
  }

  /** Of the content, by {@link ContentHash#RULE}. */
  byte[] hash() {
    return hash;
  }

  /** Of the text, in UTF-8. */
  long bytes() {
    return bytes;
  }

  /** Only the first outcome counts. */
  void done(Outcome outcome) {
    if (told.compareAndSet(false, true)) {
      whenDone.accept(outcome);
    }
  }

  /** Commands of the same key that are answered from this one's entry. */
  List<Command> repeats() {
    return repeats;
  }

  Ledger.@Nullable Entry entry() {
    return entry;
  }

  Outcome.@Nullable Refused refusal() {
    return refusal;
  }

  boolean isAnswered() {
    return entry != null || refusal != null;
  }

  void answer(Ledger.Entry found) {
    entry = found;
  }

  void answer(Outcome.Refused refused) {
    refusal = refused;
  }

  /** The command key (A1). */
  record Key(String room, String participant, String clientMessageId) {}

  /**
   * What the order of commands is kept for (N2): one origin's commands for one room.
   *
   * @param origin compared by its own equals
   */
  record Line(Object origin, String room) {}
}
