package dev.postroom.bench;

import dev.postroom.bench.host.Database;
import dev.postroom.bench.host.Postgres;
import dev.postroom.bench.peer.Peers;
import dev.postroom.bench.scenario.Scenarios;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code bench/run [options] scenario…}: see bench/README.md. */
public final class Main {
  private final Options options;
  private final Postgres postgres;
  private final Results results;
  private int failures;

  private Main(Options options, Postgres postgres) throws Exception {
    this.options = options;
    this.postgres = postgres;
    this.results = new Results(options.out(), Machine.describe(options.bench(), postgres));
  }

  /** The system property {@code bench} names the directory bench/ of the project. */
  public static void main(String[] arguments) throws Exception {
    Path bench = Path.of(System.getProperty("bench", "bench")).toAbsolutePath().normalize();
    Options options;
    List<Scenario> scenarios;
    List<Peer> peers;
    try {
      options = Options.parse(bench, arguments);
      scenarios = options.scenarios().stream().map(Scenarios::named).toList();
      peers = options.peers().stream().map(Peers::named).toList();
      if (scenarios.isEmpty()) {
        throw new IllegalArgumentException("no scenario");
      }
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n\nbench/run [options] scenario…\n" + Scenarios.list());
      System.exit(2);
      return;
    }
    int failures;
    Path work = Files.createDirectories(bench.resolve("load/target/postgres"));
    try (Postgres postgres = Postgres.start(work)) {
      Main main = new Main(options, postgres);
      for (Scenario scenario : scenarios) {
        main.run(scenario, peers);
      }
      System.out.println(main.results.markdown());
      failures = main.failures;
    }
    // Threads of a client that could not be closed are no reason to stay.
    System.exit(failures == 0 ? 0 : 1);
  }

  private void run(Scenario scenario, List<Peer> peers) throws Exception {
    Map<String, List<Case>> variants = new LinkedHashMap<>();
    for (Case each : scenario.cases(options, peers)) {
      if (each.variant().contains(options.variant())) {
        variants.computeIfAbsent(each.variant(), name -> new ArrayList<>()).add(each);
      }
    }
    for (List<Case> cases : variants.values()) {
      for (int round = 1; round <= options.rounds(); round++) {
        for (Case each : cases) {
          run(scenario, each, round);
        }
      }
    }
  }

  private void run(Scenario scenario, Case what, int round) throws Exception {
    String title = scenario.name() + ", " + what.variant() + ", " + what.peer() + ", " + round;
    System.err.println(title);
    Database database = postgres.fresh();
    try {
      Figures figures = what.run(new Bed(options, postgres, database));
      System.err.println("  " + figures.columns());
      results.add(scenario, what, round, options, figures);
    } catch (Exception e) {
      // The others' figures are not lost for it.
      failures++;
      e.printStackTrace();
    } finally {
      postgres.drop(database);
    }
  }
}
