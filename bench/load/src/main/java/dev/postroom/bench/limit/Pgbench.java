package dev.postroom.bench.limit;

import dev.postroom.bench.host.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL's own load generator, as installed on this machine. */
final class Pgbench {
  private static final Pattern DONE =
      Pattern.compile("number of transactions actually processed: (\\d+)");
  private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");
  private static final Pattern LATENCY = Pattern.compile("latency average = ([0-9.]+) ms");

  private static final String SESSIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pgbench'";

  private final Database database;
  private final Path work;

  /** Where the numbers of the next run's batches begin. */
  private long first;

  Pgbench(Database database, Path work) {
    this.database = database;
    this.work = work;
  }

  /**
   * What a run did.
   *
   * @param perSecond transactions
   * @param latencyMillis of one
   */
  record Run(long transactions, double perSecond, double latencyMillis) {}

  /** Its version, for the results. */
  static String version() throws IOException {
    Process process = new ProcessBuilder("pgbench", "--version").start();
    return new String(process.getInputStream().readAllBytes()).strip();
  }

  /** Runs it, each client as fast as it is answered; keys never come twice. */
  Run run(Script script, int seconds) throws IOException, InterruptedException, SQLException {
    Files.createDirectories(work);
    Path file = Files.writeString(work.resolve("limit.sql"), script.text(first));
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                "pgbench",
                "--no-vacuum",
                "--protocol=prepared",
                "--client=" + Script.CLIENTS,
                "--jobs=" + Math.min(Script.CLIENTS, Runtime.getRuntime().availableProcessors()),
                "--time=" + seconds,
                "--define=n=" + first,
                "--file=" + file,
                "--host=127.0.0.1",
                "--port=" + database.port(),
                "--username=" + Database.USER,
                database.name()));
    builder.environment().put("PGPASSWORD", Database.PASSWORD);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IllegalStateException("pgbench failed:\n" + output);
    }
    first += 1_000_000_000;
    // Until its sessions have ended and been waited for, their processor time is nowhere.
    while (!database.value(SESSIONS).equals("0")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    TimeUnit.MILLISECONDS.sleep(300);
    return new Run((long) number(DONE, output), number(RATE, output), number(LATENCY, output));
  }

  private static double number(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + pattern + " in:\n" + output);
    }
    return Double.parseDouble(matcher.group(1));
  }
}
