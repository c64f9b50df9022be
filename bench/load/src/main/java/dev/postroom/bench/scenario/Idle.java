package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Meter;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.host.FullCollection;
import dev.postroom.bench.load.Fleet;
import dev.postroom.bench.load.Member;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What sockets cost that only stay: memory and processor time of the service. */
final class Idle implements Scenario {

  /** Connected first, so that what the first sockets load is not counted. */
  private static final int FIRST = 500;

  private static final int ROOM = 10;

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public String about() {
    return "memory for each of 10,000 sockets (--sockets) that do nothing";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    int sockets = options.number("sockets", 10_000);
    String variant = "%,d sockets in rooms of %d".formatted(sockets, ROOM);
    return peers.stream()
        .<Case>map(peer -> new FleetCase(variant, peer, 100, stage -> play(stage, sockets)))
        .toList();
  }

  private static Figures play(Stage stage, int sockets) throws Exception {
    Fleet fleet = stage.fleet();
    fleet.rooms((sockets + FIRST) / ROOM, ROOM);
    fleet.prepare();
    List<Member> members = fleet.members();
    fleet.open(members.subList(0, FIRST));
    boolean collects = FullCollection.of(stage.peer().process());
    rest(stage.options().warmup());
    long before = stage.meter().serverMemory();
    long postgresBefore = stage.meter().postgresMemory();
    long start = System.nanoTime();
    fleet.open(members.subList(FIRST, members.size()));
    double opening = (System.nanoTime() - start) / 1e9;
    Meter.Reading resting = stage.meter().read();
    rest(stage.options().seconds());
    Meter.Reading used = stage.meter().read().minus(resting);
    long after = stage.meter().serverMemory();
    long opened = members.size() - FIRST;
    Figures figures = new Figures();
    figures.put("KiB/socket", (after - before) / 1024.0 / opened);
    if (collects) {
      FullCollection.of(stage.peer().process());
      rest(2);
      figures.put("after a collection", (stage.meter().serverMemory() - before) / 1024.0 / opened);
    }
    figures.put("server MiB before", before / 1048576.0);
    figures.put("server MiB after", after / 1048576.0);
    figures.put(
        "database KiB/socket", (stage.meter().postgresMemory() - postgresBefore) / 1024.0 / opened);
    figures.put("opened/s", opened / opening);
    figures.put("server CPU %", used.percent(used.serverMicros()));
    figures.put("errors", fleet.tally().errors().values().stream().mapToLong(each -> each).sum());
    return figures.detail("errors", fleet.tally().errors());
  }

  private static void rest(int seconds) throws InterruptedException {
    TimeUnit.SECONDS.sleep(seconds);
  }
}
