package dev.postroom.bench.scenario;

import dev.postroom.bench.Figures;
import dev.postroom.bench.Meter;
import dev.postroom.bench.load.Missing;
import dev.postroom.bench.load.Tally;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * What happened between two moments of a running load.
 *
 * @param accepted commands acked for the first time
 * @param delivered messages that members were sent
 * @param acks from when a command was due to its ack, ns
 * @param deliveries from when a command was due to a member's delivery, ns
 */
record Measured(
    Meter.Reading used,
    long accepted,
    long delivered,
    Histogram acks,
    Histogram deliveries,
    long serverMemory,
    long postgresMemory) {

  static Measured over(Stage stage, int seconds) throws Exception {
    return during(stage, () -> TimeUnit.SECONDS.sleep(seconds));
  }

  /** What takes the measured time. */
  interface Action {
    void run() throws Exception;
  }

  static Measured during(Stage stage, Action action) throws Exception {
    Tally tally = stage.fleet().tally();
    Meter.Reading before = stage.meter().read();
    stage.fleet().acks().take();
    stage.fleet().deliveries().take();
    long accepted = tally.accepted();
    long delivered = tally.delivered();
    action.run();
    accepted = tally.accepted() - accepted;
    delivered = tally.delivered() - delivered;
    Histogram acks = stage.fleet().acks().take();
    Histogram deliveries = stage.fleet().deliveries().take();
    Meter.Reading used = stage.meter().read().minus(before);
    return new Measured(
        used,
        accepted,
        delivered,
        acks,
        deliveries,
        stage.meter().serverMemory(),
        stage.meter().postgresMemory());
  }

  /** The columns that all scenarios with a load have. */
  Figures figures(Stage stage, Missing missing) {
    Figures figures = new Figures();
    double seconds = used.seconds();
    figures.put("accepted/s", accepted / seconds);
    figures.put("deliveries/s", delivered / seconds);
    percentiles(figures, "ack", acks);
    checks(figures, stage.fleet().tally(), missing);
    double micros = used.serverMicros() + used.postgresMicros();
    figures.put("CPU µs/accepted", micros / accepted);
    figures.put("of it server", (double) used.serverMicros() / accepted);
    figures.put("of it database", (double) used.postgresMicros() / accepted);
    figures.put("CPU µs/delivery", micros / delivered);
    figures.put("deliveries/CPU s", delivered / (micros / 1e6));
    figures.put("WAL B/accepted", (double) used.walBytes() / accepted);
    figures.put("commits/accepted", (double) used.commits() / accepted);
    figures.put("server MiB", serverMemory / 1048576.0);
    figures.put("database MiB", postgresMemory / 1048576.0);
    figures.put("generator CPU %", used.percent(used.generatorMicros()));
    figures.detail("seconds", seconds);
    figures.detail("serverCpuPercent", used.percent(used.serverMicros()));
    figures.detail("databaseCpuPercent", used.percent(used.postgresMicros()));
    figures.detail("accepted", accepted);
    figures.detail("delivered", delivered);
    figures.detail("ackMillis", spectrum(acks));
    figures.detail("deliveryMillis", spectrum(deliveries));
    return figures;
  }

  private static void percentiles(Figures figures, String what, Histogram times) {
    if (times.getTotalCount() > 0) {
      figures.put(what + " p50 ms", times.getValueAtPercentile(50) / 1e6);
      figures.put("p95", times.getValueAtPercentile(95) / 1e6);
      figures.put("p99", times.getValueAtPercentile(99) / 1e6);
      figures.put("max", times.getMaxValue() / 1e6);
    }
  }

  /** Lost, repeated and out of order, over the whole run and not only the measured part. */
  static void checks(Figures figures, Tally tally, Missing missing) {
    figures.put("lost", missing.deliveries());
    figures.put("repeated", tally.repeated());
    figures.put("out of order", tally.outOfOrder());
    figures.put("unanswered", missing.answers());
    figures.put("errors", tally.errors().values().stream().mapToLong(Long::longValue).sum());
    if (tally.corrupt() > 0) {
      figures.put("corrupt", tally.corrupt());
    }
    figures.detail("errors", tally.errors());
    figures.detail("notes", tally.notes());
  }

  private static Map<String, Double> spectrum(Histogram times) {
    Map<String, Double> millis = new TreeMap<>();
    for (double percentile : new double[] {50, 75, 90, 95, 99, 99.9, 100}) {
      millis.put("p" + percentile, times.getValueAtPercentile(percentile) / 1e6);
    }
    return millis;
  }
}
