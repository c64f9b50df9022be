package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.load.Fleet;
import java.util.ArrayList;
import java.util.List;

/** Everybody sends as fast as it is acked, in rooms of several shapes. */
final class Accept implements Scenario {

  private static final int SHORT = 100;
  private static final int LONG = 2048;

  /** How many rooms of how many members, all of whom send. */
  private record Shape(String name, int rooms, int members, int textBytes) {}

  private static final List<Shape> SHAPES =
      List.of(
          new Shape("100 rooms of 2, 200 senders, 100 B", 100, 2, SHORT),
          new Shape("100 rooms of 2, 200 senders, 2 KB", 100, 2, LONG),
          new Shape("20 rooms of 10, 200 senders, 100 B", 20, 10, SHORT),
          new Shape("20 rooms of 10, 200 senders, 2 KB", 20, 10, LONG),
          new Shape("one hot room, 50 senders, 100 B", 1, 50, SHORT),
          new Shape("one hot room, 50 senders, 2 KB", 1, 50, LONG),
          new Shape("2,000 rooms of 1, 100 B", 2_000, 1, SHORT),
          new Shape("2,000 rooms of 1, 2 KB", 2_000, 1, LONG));

  @Override
  public String name() {
    return "accept";
  }

  @Override
  public String about() {
    return "rate and cost of accepting: rooms of 2 and of 10, a hot room, 2,000 rooms";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    List<Case> cases = new ArrayList<>();
    for (Shape shape : SHAPES) {
      for (Peer peer : peers) {
        cases.add(
            new FleetCase(
                shape.name,
                peer,
                shape.textBytes,
                stage -> play(stage, shape.rooms, shape.members)));
      }
    }
    return cases;
  }

  static Figures play(Stage stage, int rooms, int members) throws Exception {
    return play(stage, rooms, members, stage.options().inFlight());
  }

  static Figures play(Stage stage, int rooms, int members, int inFlight) throws Exception {
    Fleet fleet = stage.fleet();
    fleet.rooms(rooms, members);
    fleet.open();
    fleet.members().forEach(member -> member.later(() -> member.sendInClosedLoop(inFlight)));
    Warmup warmup = stage.warmUp();
    Measured measured = stage.measure();
    return measured
        .figures(stage, fleet.settle())
        .detail("warmup", warmup)
        .detail("inFlight", inFlight);
  }
}
