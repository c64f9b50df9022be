package dev.postroom.accept;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/**
 * Takes a command: rules, rate, right, combiner, announce, in that order. The one path for every
 * transport.
 */
@ApplicationScoped
public class Acceptor {

  /**
   * Never fails: whatever happens is an {@link Outcome}. Two calls of the same origin for the same
   * room are decided in the order in which they were made (N2).
   */
  public Uni<Outcome> accept(Submission submission) {
    throw new IllegalStateException("to be built");
  }

  /**
   * What would refuse the command before it reaches the database's log: rules, rate and right, in
   * that order (A6). For callers that have a reason of their own to refuse, which comes after
   * these.
   *
   * @return null if none of them refuses
   */
  public Uni<Outcome.@Nullable Refused> refusal(Submission submission) {
    throw new IllegalStateException("to be built");
  }

  /** Longest text, in bytes of UTF-8. */
  public int maxTextBytes() {
    throw new IllegalStateException("to be built");
  }

  /** Longest {@code clientMessageId}, in characters. */
  public int maxIdLength() {
    throw new IllegalStateException("to be built");
  }
}
