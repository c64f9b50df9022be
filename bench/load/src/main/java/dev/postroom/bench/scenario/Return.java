package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.load.Fleet;
import dev.postroom.bench.load.Member;
import dev.postroom.bench.load.OpenLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.DoubleStream;

/**
 * Everybody comes back at once: 2,000 members of 20 rooms, in each of which one more member has
 * gone on sending. Several storms in a run.
 */
final class Return implements Scenario {
  private static final int ROOMS = 20;
  private static final int MEMBERS = 100;
  private static final int STORMS = 3;
  private static final long AWAY_MILLIS = 5_000;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @Override
  public String name() {
    return "return";
  }

  @Override
  public String about() {
    return "2,000 members come back at once after 5 s: time to 95 %, queries for each";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    int rate = options.number("rate", 100);
    String variant = "20 rooms of 100, %,d/s offered, 100 B".formatted(rate);
    return peers.stream()
        .<Case>map(peer -> new FleetCase(variant, peer, 100, stage -> play(stage, rate)))
        .toList();
  }

  private static Figures play(Stage stage, int rate) throws Exception {
    try (Queries queries = Queries.count(stage.bed().database())) {
      return play(stage, rate, queries);
    }
  }

  private static Figures play(Stage stage, int rate, Queries queries) throws Exception {
    Fleet fleet = stage.fleet();
    List<Member> senders = new ArrayList<>();
    List<Member> others = new ArrayList<>();
    fleet
        .rooms(ROOMS, MEMBERS + 1)
        .forEach(
            room -> {
              senders.add(room.members().get(0));
              others.addAll(room.members().subList(1, MEMBERS + 1));
            });
    fleet.open();
    senders.forEach(sender -> sender.window(64));
    OpenLoop sending = OpenLoop.start(fleet, senders, rate);
    Warmup warmup = stage.warmUp();
    queries.rest(stage.options().seconds());
    if (queries.perSecond() == 0) {
      throw new IllegalStateException("the senders cause no queries: these are not counted");
    }
    List<Storm> storms = new ArrayList<>();
    for (int i = 0; i < STORMS; i++) {
      storms.add(storm(fleet, others, queries));
    }
    sending.stop();
    Figures figures = new Figures();
    figures.put("95 % back ms", median(storms.stream().mapToDouble(Storm::mostMillis)));
    figures.put("all back ms", median(storms.stream().mapToDouble(Storm::allMillis)));
    figures.put("queries/return", median(storms.stream().mapToDouble(Storm::queriesEach)));
    figures.put("queries/s at rest", queries.perSecond());
    Measured.checks(figures, fleet.tally(), fleet.settle());
    return figures.detail("storms", storms).detail("warmup", warmup);
  }

  /**
   * One storm.
   *
   * @param mostMillis until 95 % had joined and been given what they missed
   * @param queriesEach beyond what the senders cause, for each who came back
   * @param most the statements of most of them
   */
  private record Storm(
      double mostMillis, double allMillis, double queriesEach, List<String> most) {}

  private static Storm storm(Fleet fleet, List<Member> members, Queries queries) throws Exception {
    members.forEach(member -> member.later(member::cut));
    TimeUnit.MILLISECONDS.sleep(AWAY_MILLIS);
    long[] joined = new long[members.size()];
    AtomicInteger count = new AtomicInteger();
    fleet.onJoin(
        member -> {
          int place = count.getAndIncrement();
          if (place < joined.length) {
            joined[place] = System.nanoTime();
          }
        });
    queries.begin();
    long start = System.nanoTime();
    members.forEach(member -> member.later(() -> member.comeBackAfter(0)));
    while (count.get() < joined.length && System.nanoTime() - start < LIMIT_NANOS) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    // What a join set off may still be under way, and counts are only told now and then.
    TimeUnit.SECONDS.sleep(2);
    Queries.Beyond beyond = queries.end();
    fleet.onJoin(member -> {});
    if (count.get() < joined.length) {
      throw new IllegalStateException(count + " of " + joined.length + " came back");
    }
    Arrays.sort(joined);
    return new Storm(
        (joined[(int) Math.ceil(joined.length * 0.95) - 1] - start) / 1e6,
        (joined[joined.length - 1] - start) / 1e6,
        beyond.count() / joined.length,
        beyond.most());
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
