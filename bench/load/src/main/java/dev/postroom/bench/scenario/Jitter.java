package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.load.Cutter;
import dev.postroom.bench.load.Fleet;
import dev.postroom.bench.load.OpenLoop;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A bad network: every client's connection is cut each 15 s, without a close frame, and it is away
 * for 2 s. What it was not acked it sends again; what it missed it has to be given.
 */
final class Jitter implements Scenario {
  private static final long EVERY_MILLIS = 15_000;
  private static final long AWAY_MILLIS = 2_000;
  private static final int WINDOW = 32;

  @Override
  public String name() {
    return "jitter";
  }

  @Override
  public String about() {
    return "every client is cut each 15 s and away for 2 s, for 60 s; --rate 1000 offered a second";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    int rate = options.number("rate", 1_000);
    String variant = "20 rooms of 10, %,d/s offered, 100 B".formatted(rate);
    return peers.stream()
        .<Case>map(peer -> new FleetCase(variant, peer, 100, stage -> play(stage, rate)))
        .toList();
  }

  private static Figures play(Stage stage, int rate) throws Exception {
    Fleet fleet = stage.fleet();
    fleet.rooms(20, 10);
    fleet.open();
    fleet.members().forEach(member -> member.window(WINDOW));
    OpenLoop sending = OpenLoop.start(fleet, fleet.members(), rate);
    Warmup warmup = stage.warmUp();
    long joins = fleet.tally().joins();
    Cutter cutter = Cutter.start(fleet, fleet.members(), EVERY_MILLIS, AWAY_MILLIS);
    Measured measured = Measured.over(stage, stage.options().number("seconds", 60));
    cutter.stop();
    // Whoever is away comes back.
    TimeUnit.MILLISECONDS.sleep(AWAY_MILLIS + 1_000);
    sending.stop();
    Figures figures = new Figures().put("cuts", cutter.cuts());
    measured.figures(stage, fleet.settle()).into(figures);
    return figures.detail("warmup", warmup).detail("returns", fleet.tally().joins() - joins);
  }
}
