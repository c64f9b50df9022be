package dev.postroom.bench.relay;

import dev.postroom.bench.Bed;
import dev.postroom.bench.Case;
import dev.postroom.bench.Figures;
import dev.postroom.bench.Meter;
import dev.postroom.bench.Options;
import java.util.concurrent.TimeUnit;

/**
 * Events that stand in the database leave for a receiver on the same machine. Before that smaller
 * lots, for as long as warming up is asked for.
 */
record DrainCase(String variant, String peer, Start start, int events, int rooms, int bytes)
    implements Case {
  private static final int WARM_EVENTS = 20_000;
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** How what is measured begins. */
  interface Start {
    Outlet outlet(Bed bed, String receiver) throws Exception;
  }

  @Override
  public Figures run(Bed bed) throws Exception {
    try (Receiver receiver = Receiver.open();
        Outlet outlet = start.outlet(bed, receiver.url())) {
      warmUp(bed.options(), bed, outlet, receiver);
      outlet.fill(events, rooms, bytes);
      receiver.reset();
      Meter meter = new Meter(outlet.processes(), bed);
      Meter.Reading before = meter.read();
      outlet.drain();
      await(bed, outlet, receiver, events);
      Meter.Reading used = meter.read().minus(before);
      double seconds = (receiver.lastNanos() - before.nanos()) / 1e9;
      double micros = used.serverMicros() + used.postgresMicros();
      return new Figures()
          .put("events/s", events / seconds)
          .put("CPU µs/event", micros / events)
          .put("of it server", (double) used.serverMicros() / events)
          .put("of it database", (double) used.postgresMicros() / events)
          .put("requests/event", (double) receiver.requests() / events)
          .put("lost", events - receiver.distinct())
          .put("repeated", receiver.requests() - receiver.distinct())
          .put("out of order", receiver.outOfOrder())
          .put("WAL B/event", (double) used.walBytes() / events)
          .put("commits/event", (double) used.commits() / events)
          .put("server MiB", meter.serverMemory() / 1048576.0)
          .put("generator CPU %", used.percent(used.generatorMicros()))
          .detail("events", events)
          .detail("seconds", seconds)
          .detail("untilNoted", used.seconds())
          .detail("peer", outlet.settings());
    }
  }

  private void warmUp(Options options, Bed bed, Outlet outlet, Receiver receiver) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.warmup());
    int some = Math.min(events, Math.max(rooms, WARM_EVENTS));
    while (System.nanoTime() < end) {
      outlet.fill(some, rooms, bytes);
      receiver.reset();
      outlet.drain();
      await(bed, outlet, receiver, some);
      outlet.rest();
    }
  }

  /** Until all have come and the database has it noted. */
  private static void await(Bed bed, Outlet outlet, Receiver receiver, int expected)
      throws Exception {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (receiver.distinct() < expected && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    while (!bed.database().value(outlet.unfinished()).equals("0") && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }
}
