package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.load.Cutter;
import dev.postroom.bench.load.Fleet;
import dev.postroom.bench.load.OpenLoop;
import dev.postroom.bench.peer.Peers;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * No measurement: a few seconds of repeats and cut connections against Postroom, which fail when
 * something is lost, repeated or out of order. Shows that the bench itself works.
 */
final class Smoke implements Scenario {

  @Override
  public String name() {
    return "smoke";
  }

  @Override
  public String about() {
    return "half a minute, Postroom only; fails when a message is lost, repeated or out of order";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    return List.of(new FleetCase("8 rooms of 5", Peers.named("postroom"), 100, Smoke::play));
  }

  private static Figures play(Stage stage) throws Exception {
    Fleet fleet = stage.fleet();
    fleet.repeatCommands(stage.options().number("seed", 1));
    fleet.rooms(8, 5);
    fleet.open();
    fleet.members().forEach(member -> member.window(8));
    OpenLoop sending = OpenLoop.start(fleet, fleet.members(), 400);
    Cutter cutter = Cutter.start(fleet, fleet.members(), 3_000, 500);
    Measured measured = Measured.over(stage, 6);
    cutter.stop();
    TimeUnit.MILLISECONDS.sleep(1_500);
    sending.stop();
    Figures figures = measured.figures(stage, fleet.settle());
    for (String column : List.of("lost", "repeated", "out of order", "unanswered", "corrupt")) {
      if (figures.columns().getOrDefault(column, 0.0) > 0) {
        throw new IllegalStateException(column + ": " + figures.columns().get(column));
      }
    }
    if (measured.accepted() < 1_000 || cutter.cuts() < fleet.members().size()) {
      throw new IllegalStateException(
          "only " + measured.accepted() + " accepted, " + cutter.cuts() + " cuts");
    }
    return figures.put("cuts", cutter.cuts());
  }
}
