package dev.postroom.http;

/** Ends a request with a {@link Problem}. Thrown anywhere in a resource; an answer, not a fault. */
public final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public Refusal(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }
}
