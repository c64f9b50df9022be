package dev.postroom.bench.scenario;

import dev.postroom.bench.Bed;
import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Meter;
import dev.postroom.bench.Peer;
import dev.postroom.bench.Started;
import dev.postroom.bench.load.Fleet;

/**
 * A case with clients on WebSockets: starts the peer, plays, and takes everything down.
 *
 * @param textBytes length of each message's text
 */
record FleetCase(String variant, Peer system, int textBytes, Play play) implements Case {

  /** What is done with the clients. */
  interface Play {
    Figures on(Stage stage) throws Exception;
  }

  @Override
  public String peer() {
    return system.name();
  }

  @Override
  public Figures run(Bed bed) throws Exception {
    try (Started started = system.start(bed.database(), bed.bench());
        Fleet fleet = new Fleet(started, textBytes)) {
      Meter meter = new Meter(started.process().processes(), bed);
      return play.on(new Stage(bed, started, fleet, meter)).detail("peer", started.settings());
    }
  }
}
