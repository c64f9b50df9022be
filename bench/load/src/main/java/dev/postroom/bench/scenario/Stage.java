package dev.postroom.bench.scenario;

import dev.postroom.bench.Bed;
import dev.postroom.bench.Meter;
import dev.postroom.bench.Options;
import dev.postroom.bench.Started;
import dev.postroom.bench.load.Fleet;

/** What a WebSocket scenario is played on: a peer that runs, and clients that are not open yet. */
record Stage(Bed bed, Started peer, Fleet fleet, Meter meter) {

  Options options() {
    return bed.options();
  }

  /** Warms up under the load that is already running. */
  Warmup warmUp() throws InterruptedException {
    return Warmup.under(fleet.tally(), options());
  }

  /** Measures what is already running for the time that was asked for. */
  Measured measure() throws Exception {
    return Measured.over(this, options().seconds());
  }
}
