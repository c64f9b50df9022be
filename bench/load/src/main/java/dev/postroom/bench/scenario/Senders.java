package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import java.util.ArrayList;
import java.util.List;

/**
 * Accepting with ever more senders in rooms of two, each with one command under way: for a plot.
 */
final class Senders implements Scenario {
  private static final int[] COUNTS = {2, 10, 50, 200, 800, 3_200};

  @Override
  public String name() {
    return "senders";
  }

  @Override
  public String about() {
    return "rate of accepting against the number of senders";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    List<Case> cases = new ArrayList<>();
    for (int senders : COUNTS) {
      for (Peer peer : peers) {
        String variant = "%,d senders in rooms of 2, 100 B".formatted(senders);
        FleetCase.Play play = stage -> Accept.play(stage, senders / 2, 2, 1);
        cases.add(new FleetCase(variant, peer, 100, play));
      }
    }
    return cases;
  }
}
