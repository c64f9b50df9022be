package dev.postroom.bench.scenario;

import dev.postroom.bench.Bed;
import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Meter;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Started;
import dev.postroom.bench.host.Metrics;
import dev.postroom.bench.limit.LimitCase;
import dev.postroom.bench.load.Fleet;
import dev.postroom.bench.peer.Peers;

/**
 * The service under load, and right after it, on the same database, pgbench with the same SQL and
 * as many commands in a transaction as the service had on average.
 */
record ServiceBesideLimit(String variant, int textBytes) implements Case {
  private static final String BATCH = "postroom_batch_size";

  @Override
  public String peer() {
    return "postroom";
  }

  @Override
  public Figures run(Bed bed) throws Exception {
    Peer postroom = Peers.named(peer());
    Measured measured;
    double batch;
    try (Started started = postroom.start(bed.database(), bed.bench());
        Fleet fleet = new Fleet(started, textBytes)) {
      Stage stage = new Stage(bed, started, fleet, new Meter(started.process().processes(), bed));
      fleet.rooms(100, 2);
      fleet.open();
      int inFlight = bed.options().inFlight();
      fleet.members().forEach(member -> member.later(() -> member.sendInClosedLoop(inFlight)));
      stage.warmUp();
      Metrics before = Metrics.of(started.port());
      measured = stage.measure();
      batch = Metrics.of(started.port()).meanSince(before, BATCH);
      fleet.settle();
    }
    int limitBatch = (int) Math.max(1, Math.round(batch));
    Figures limit = new LimitCase(variant, limitBatch, textBytes, false).measure(bed);
    double rate = measured.accepted() / measured.used().seconds();
    double limitRate = limit.columns().get("accepted/s");
    return new Figures()
        .put("accepted/s", rate)
        .put("commands/transaction", batch)
        .put("pgbench accepted/s", limitRate)
        .put("share %", 100 * rate / limitRate)
        .put(
            "CPU µs database/accepted",
            (double) measured.used().postgresMicros() / measured.accepted())
        .put("of pgbench", limit.columns().get("CPU µs database/accepted"))
        .detail("limit", limit.columns());
  }
}
