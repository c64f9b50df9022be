package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.load.Fleet;
import dev.postroom.bench.load.OpenLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Commands come at a rate of their own, from 200 senders in rooms of two: how long does one take?
 */
record Offered(String name, String about, String rates) implements Scenario {
  private static final int ROOMS = 100;

  /** What one client may have under way; what comes beyond that waits, and its clock runs. */
  private static final int WINDOW = 32;

  static Offered latency() {
    return new Offered(
        "latency", "time from due to ack at 1,000 messages a second offered", "1000");
  }

  static Offered sweep() {
    return new Offered(
        "sweep",
        "the same from 250 to 16,000 a second, or at --rates 500,1000",
        "250,500,1000,2000,4000,8000,16000");
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    List<Case> cases = new ArrayList<>();
    for (int rate : rates(options)) {
      for (Peer peer : peers) {
        String variant = "%,d/s offered, 200 senders, 100 B".formatted(rate);
        cases.add(new FleetCase(variant, peer, 100, stage -> play(stage, rate)));
      }
    }
    return cases;
  }

  private int[] rates(Options options) {
    return Arrays.stream(options.text("rates", rates).split(","))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  private static Figures play(Stage stage, int rate) throws Exception {
    Fleet fleet = stage.fleet();
    fleet.rooms(ROOMS, 2);
    fleet.open();
    fleet.members().forEach(member -> member.window(WINDOW));
    OpenLoop sending = OpenLoop.start(fleet, fleet.members(), rate);
    Warmup warmup = stage.warmUp();
    Measured measured = stage.measure();
    sending.stop();
    Figures figures = new Figures().put("offered/s", rate);
    measured.figures(stage, fleet.settle()).into(figures);
    return figures.detail("warmup", warmup);
  }
}
