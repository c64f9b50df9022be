package dev.postroom.bench.host;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The PostgreSQL of a bench run: the same server, with the same settings, for every peer. It is
 * durable, or nothing is measured.
 */
public final class Postgres implements AutoCloseable {

  private static final Map<String, String> SETTINGS =
      Map.of(
          "fsync", "on",
          "synchronous_commit", "on",
          "full_page_writes", "on",
          "shared_buffers", "512MB",
          "max_wal_size", "4GB",
          "max_connections", "200",
          "shared_preload_libraries", "pg_stat_statements");

  private static final List<String> SHOWN =
      List.of(
          "server_version",
          "fsync",
          "synchronous_commit",
          "full_page_writes",
          "shared_buffers",
          "max_wal_size",
          "max_connections",
          "wal_sync_method",
          "jit");

  private final EmbeddedPostgres server;
  private final ProcessTree processes;
  private final Database admin;
  private int databases;

  private Postgres(EmbeddedPostgres server, ProcessTree processes) {
    this.server = server;
    this.processes = processes;
    this.admin = new Database(server.getPort(), "postgres");
  }

  /**
   * Starts a new server.
   *
   * @param work where its programs and its data may be, on a real disk
   */
  public static Postgres start(Path work) throws IOException, SQLException {
    Path data = work.resolve("data-" + ProcessHandle.current().pid());
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setOverrideWorkingDirectory(work.toFile())
            .setDataDirectory(data)
            .setCleanDataDirectory(true)
            .setPGStartupWait(Duration.ofSeconds(60));
    SETTINGS.forEach(builder::setServerConfig);
    EmbeddedPostgres server = builder.start();
    String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim();
    Postgres postgres = new Postgres(server, new ProcessTree(Long.parseLong(pid)));
    postgres.refuseUnlessDurable();
    // Counting costs: the scenario that counts queries switches it on. What is given at the start,
    // as
    // the others are, could not be changed any more.
    postgres.admin.execute("ALTER SYSTEM SET pg_stat_statements.track = 'none'");
    postgres.admin.execute("ALTER SYSTEM SET pg_stat_statements.track_utility = 'off'");
    postgres.admin.execute("SELECT pg_reload_conf()");
    return postgres;
  }

  private void refuseUnlessDurable() throws SQLException {
    for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
      if (!admin.value("SHOW " + setting).equals("on")) {
        throw new IllegalStateException(setting + " is not on: such figures would mean nothing");
      }
    }
  }

  /** A new empty database, after a checkpoint: every run begins in the same state. */
  public Database fresh() throws SQLException {
    Database database = new Database(admin.port(), "bench" + ++databases);
    admin.execute("CREATE DATABASE " + database.name());
    admin.execute("CHECKPOINT");
    return database;
  }

  public void drop(Database database) throws SQLException {
    admin.execute("DROP DATABASE IF EXISTS " + database.name() + " WITH (FORCE)");
  }

  /** The server's processes. */
  public ProcessTree processes() {
    return processes;
  }

  /** Its settings in force, for the results. */
  public Map<String, String> settings() throws SQLException {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String name : SHOWN) {
      settings.put(name, admin.value("SHOW " + name));
    }
    return settings;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
