package dev.postroom.bench.scenario;

import dev.postroom.bench.Case;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import dev.postroom.bench.limit.LimitCase;
import java.util.ArrayList;
import java.util.List;

/** The database alone under pgbench, by our own accept SQL and by a bare insert. */
final class Limit implements Scenario {
  private static final List<Integer> BATCHES = List.of(1, 16, 64, 256);

  @Override
  public String name() {
    return "limit";
  }

  @Override
  public String about() {
    return "pgbench with the accept SQL and with a bare insert, and the service beside it";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    List<Case> cases = new ArrayList<>();
    int bytes = options.number("bytes", 100);
    for (boolean bare : new boolean[] {false, true}) {
      for (int batch : BATCHES) {
        cases.add(new LimitCase("no service in front, " + bytes + " B", batch, bytes, bare));
      }
    }
    cases.add(new ServiceBesideLimit("rooms of 2, 200 senders, " + bytes + " B", bytes));
    return cases;
  }
}
