package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.load.Fleet;
import java.util.List;

/** A storm of repeats: every command is sent one to five times, and may take effect once. */
final class Repeat implements Scenario {

  @Override
  public String name() {
    return "repeat";
  }

  @Override
  public String about() {
    return "each command is sent one to five times";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    String variant = "20 rooms of 10, 200 senders, 100 B, each 1–5 times";
    return peers.stream()
        .<Case>map(peer -> new FleetCase(variant, peer, 100, Repeat::play))
        .toList();
  }

  private static Figures play(Stage stage) throws Exception {
    Fleet fleet = stage.fleet();
    int seed = stage.options().number("seed", 1);
    fleet.repeatCommands(seed);
    long before = fleet.tally().repeatAcks();
    Figures figures = Accept.play(stage, 20, 10).detail("seed", seed);
    return figures.detail("acksOfRepeats", fleet.tally().repeatAcks() - before);
  }
}
