package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.load.DeliveryLoop;
import dev.postroom.bench.load.Fleet;
import dev.postroom.bench.load.Member;
import java.util.ArrayList;
import java.util.List;

/** One sender, many members; the next message waits until one under way has reached them all. */
final class FanOut implements Scenario {

  @Override
  public String name() {
    return "fanout";
  }

  @Override
  public String about() {
    return "deliveries and their cost: one sender, 100 and 1,000 members";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    List<Case> cases = new ArrayList<>();
    for (int members : new int[] {100, 1_000}) {
      for (Peer peer : peers) {
        String variant = "1 sender, %,d members, 100 B".formatted(members);
        cases.add(new FleetCase(variant, peer, 100, stage -> play(stage, members)));
      }
    }
    return cases;
  }

  private static Figures play(Stage stage, int members) throws Exception {
    Fleet fleet = stage.fleet();
    Member sender = fleet.rooms(1, members).get(0).members().get(0);
    fleet.open();
    DeliveryLoop sending = DeliveryLoop.start(fleet, sender, members, stage.options().inFlight());
    Warmup warmup = stage.warmUp();
    Measured measured = stage.measure();
    sending.stop();
    Figures figures = measured.figures(stage, fleet.settle()).detail("warmup", warmup);
    figures.put("delivery p50 ms", measured.deliveries().getValueAtPercentile(50) / 1e6);
    figures.put("delivery p99", measured.deliveries().getValueAtPercentile(99) / 1e6);
    return figures.detail("inFlight", stage.options().inFlight());
  }
}
