package dev.postroom.bench;

/** One thing that is measured, round after round, in turn with those of the same variant. */
public interface Case {

  /** What is varied within the scenario, such as "rooms of 2, 100 B"; one table each. */
  String variant();

  /** Whose figures these are: the row of the table. */
  String peer();

  /** Measures once, on a fresh database. Starts what it needs, and ends it. */
  Figures run(Bed bed) throws Exception;
}
