package dev.postroom.bench.relay;

import dev.postroom.bench.Case;
import dev.postroom.bench.Options;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Scenario;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events that stand in the database are handed over to a receiver on this machine. */
public final class RelayScenario implements Scenario {
  private static final Map<String, DrainCase.Start> OUTLETS = new LinkedHashMap<>();

  static {
    OUTLETS.put("postroom", PostroomOutlet::start);
    OUTLETS.put(
        "graphile",
        (bed, receiver) ->
            NodeOutlet.start(
                "graphile", bed, receiver, "SELECT count(*) FROM graphile_worker._private_jobs"));
    OUTLETS.put(
        "pgboss",
        (bed, receiver) ->
            NodeOutlet.start(
                "pgboss",
                bed,
                receiver,
                "SELECT count(*) FROM pgboss.job WHERE state < 'completed'"));
  }

  @Override
  public String name() {
    return "relay";
  }

  @Override
  public String about() {
    return "100,000 events that stand in the database leave for one receiver; beside job queues";
  }

  @Override
  public List<Case> cases(Options options, List<Peer> peers) {
    int events = options.number("events", 100_000);
    int rooms = options.number("rooms", 1_000);
    int bytes = options.number("bytes", 100);
    String variant = "%,d events of %,d rooms, %d B".formatted(events, rooms, bytes);
    String outlets = options.text("outlets", String.join(",", OUTLETS.keySet()));
    return Arrays.stream(outlets.split(","))
        .<Case>map(
            name -> new DrainCase(variant, name, start(name), events / rooms * rooms, rooms, bytes))
        .toList();
  }

  private static DrainCase.Start start(String name) {
    DrainCase.Start start = OUTLETS.get(name);
    if (start == null) {
      throw new IllegalArgumentException("no outlet " + name + ", but " + OUTLETS.keySet());
    }
    return start;
  }
}
