package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * The running embedded PostgreSQL. Durable as any other: fsync, synchronous_commit and
 * full_page_writes are on. Reached by loopback only, with a generated password. A server that ends
 * by itself, or is killed, is started again on the same port.
 *
 * <p>{@link #close} stops it and gives the directory back; safe for any thread.
 */
public final class EmbeddedDatabase implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(EmbeddedDatabase.class);
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);
  private static final Duration RESTART_PAUSE = Duration.ofSeconds(2);

  private final DataDirectory directory;
  private final Cluster cluster;
  private final Password password;
  private final int port;
  private boolean closed;

  private EmbeddedDatabase(
      DataDirectory directory, Cluster cluster, Password password, Postmaster postmaster) {
    this.directory = directory;
    this.cluster = cluster;
    this.password = password;
    this.port = postmaster.port();
  }

  /**
   * Starts the database of this directory, which is created where it is missing. Blocks until the
   * database answers.
   *
   * @throws StartRefused with what to do about it
   */
  public static EmbeddedDatabase start(Path path) {
    DataDirectory directory = DataDirectory.claim(path);
    boolean started = false;
    try {
      EmbeddedDatabase database = startIn(directory);
      started = true;
      return database;
    } catch (IOException e) {
      throw new StartRefused(
          "The database in "
              + path
              + " could not be started ("
              + e
              + "): see to it that this user may write there and that the disk is not full.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartRefused("Interrupted while the database was starting: start again.", e);
    } finally {
      if (!started) {
        directory.close();
      }
    }
  }

  private static EmbeddedDatabase startIn(DataDirectory directory)
      throws IOException, InterruptedException {
    Leftovers.removeFiles(directory.path());
    Binaries binaries = Binaries.in(directory.path(), Platform.current());
    Cluster cluster = new Cluster(directory.path(), binaries, Launcher.in(directory));
    Password password = Password.in(directory.path(), cluster.exists(), new SecureRandom());
    if (!cluster.exists()) {
      cluster.create(password);
    }
    cluster.checkVersion();
    Postmaster postmaster = cluster.start(Cluster.ANY_PORT);
    EmbeddedDatabase database = new EmbeddedDatabase(directory, cluster, password, postmaster);
    database.watch(postmaster);
    return database;
  }

  private void watch(Postmaster postmaster) {
    Thread watch = new Thread(() -> keepRunning(postmaster), "embedded-postgresql-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private void keepRunning(Postmaster first) {
    Optional<Postmaster> running = Optional.of(first);
    try {
      while (running.isPresent()) {
        TimeUnit.MILLISECONDS.sleep(WATCH_INTERVAL.toMillis());
        if (!running.get().runs()) {
          running = restart();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The server that runs again; empty once this is closed. */
  private Optional<Postmaster> restart() throws InterruptedException {
    while (true) {
      synchronized (this) {
        if (closed) {
          return Optional.empty();
        }
        try {
          Postmaster postmaster = cluster.start(port);
          LOG.warnf("PostgreSQL in %s had ended, and runs again", directory.path());
          return Optional.of(postmaster);
        } catch (IOException | StartRefused e) {
          LOG.errorf("PostgreSQL in %s has ended: %s", directory.path(), e.getMessage());
        }
      }
      TimeUnit.MILLISECONDS.sleep(RESTART_PAUSE.toMillis());
    }
  }

  /** Where its data is. */
  public Path directory() {
    return directory.path();
  }

  /** As {@code quarkus.datasource.reactive.url} takes it. */
  public String reactiveUrl() {
    return "postgresql://127.0.0.1:" + port + "/" + Cluster.DATABASE;
  }

  public String username() {
    return Cluster.OWNER;
  }

  public String password() {
    return password.text();
  }

  /**
   * The key of stored secrets, as base64; made at the first call and kept in the directory.
   *
   * @throws StartRefused if it cannot be written or read
   */
  public String secretsKey() {
    try {
      return SecretsKey.in(directory.path(), new SecureRandom());
    } catch (IOException e) {
      throw new StartRefused(
          "The key of stored secrets in "
              + directory.path()
              + " cannot be used ("
              + e
              + "): see to it that this user may read and write there.",
          e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      cluster.stop();
    } catch (IOException e) {
      System.err.println("PostgreSQL in " + directory.path() + " did not stop: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      directory.close();
    }
  }
}
