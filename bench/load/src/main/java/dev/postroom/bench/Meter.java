package dev.postroom.bench;

import dev.postroom.bench.host.Database;
import dev.postroom.bench.host.ProcessTree;
import java.sql.SQLException;

/**
 * Reads what the measured time cost: processor time of server, database and generator from the
 * kernel's accounting, log and commits from the database's own.
 */
public final class Meter {
  private final ProcessTree server;
  private final ProcessTree postgres;
  private final ProcessTree generator = ProcessTree.own();
  private final Database admin;
  private final Database database;

  /**
   * @param server the measured service
   */
  public Meter(ProcessTree server, Bed bed) {
    this.server = server;
    this.postgres = bed.postgres().processes();
    this.database = bed.database();
    // The meter's own statements are not to be counted among the commits.
    this.admin = new Database(database.port(), "postgres");
  }

  /** Where all counters stand now. */
  public Reading read() throws SQLException {
    return new Reading(
        System.nanoTime(),
        server.cpuMicros(),
        postgres.cpuMicros(),
        generator.rootCpuMicros(),
        number("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"),
        number(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = '" + database.name() + "'"));
  }

  private long number(String sql) throws SQLException {
    return Long.parseLong(admin.value(sql));
  }

  /** Memory of the service now, bytes. */
  public long serverMemory() {
    return server.memoryBytes();
  }

  /** Memory of the database now, bytes. */
  public long postgresMemory() {
    return postgres.memoryBytes();
  }

  /**
   * Counters at one moment, or the difference of two.
   *
   * @param nanos time
   * @param serverMicros processor time of the service, µs
   * @param postgresMicros processor time of the database, µs
   * @param generatorMicros processor time of this process, µs
   * @param walBytes written to the database's log
   * @param commits in the peer's database
   */
  public record Reading(
      long nanos,
      long serverMicros,
      long postgresMicros,
      long generatorMicros,
      long walBytes,
      long commits) {

    public Reading minus(Reading before) {
      return new Reading(
          nanos - before.nanos,
          serverMicros - before.serverMicros,
          postgresMicros - before.postgresMicros,
          generatorMicros - before.generatorMicros,
          walBytes - before.walBytes,
          commits - before.commits);
    }

    public double seconds() {
      return nanos / 1e9;
    }

    /** The share of all processors, in percent. */
    public double percent(long micros) {
      return 100 * micros / (nanos / 1e3) / Runtime.getRuntime().availableProcessors();
    }
  }
}
