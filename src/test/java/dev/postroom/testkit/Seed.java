package dev.postroom.testkit;

/**
 * Where generated tests take their chance from: another one each run, printed, and given back with
 * {@code -Dpostroom.seed=…}.
 */
public final class Seed {

  private Seed() {}

  /** A seed for the test named; printed so that a failure can be repeated. */
  public static long pick(String test) {
    long seed = Long.getLong("postroom.seed", System.nanoTime());
    System.out.println(test + ": repeat with -Dpostroom.seed=" + seed);
    return seed;
  }
}
