package dev.postroom.accept;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

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
}
