package dev.postroom.bench;

import java.util.List;

/** What can be asked for on the command line. */
public interface Scenario {

  String name();

  /** One line for the list of scenarios. */
  String about();

  /**
   * Variant by variant, and in each the peers whose turns alternate.
   *
   * @param peers those that were asked for; a scenario without use for peers ignores them
   */
  List<Case> cases(Options options, List<Peer> peers);
}
