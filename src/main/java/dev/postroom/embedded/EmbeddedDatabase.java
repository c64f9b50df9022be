package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * The running embedded PostgreSQL. Durable as any other: fsync, synchronous_commit and
 * full_page_writes are on. Reached by loopback only, with a generated password.
 *
 * <p>{@link #close} stops it and gives the directory back; safe for any thread.
 */
public final class EmbeddedDatabase implements AutoCloseable {

  private final DataDirectory directory;
  private final Cluster cluster;
  private final Password password;
  private final int port;

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
    try {
      Binaries binaries = Binaries.in(directory.path(), Platform.current());
      Cluster cluster = new Cluster(directory, binaries, Launcher.in(directory));
      Password password = Password.in(directory.path(), cluster.exists(), new SecureRandom());
      if (!cluster.exists()) {
        cluster.create(password);
      }
      cluster.checkVersion();
      return new EmbeddedDatabase(directory, cluster, password, cluster.start());
    } catch (IOException e) {
      directory.close();
      throw new StartRefused(
          "The database in "
              + path
              + " could not be started ("
              + e
              + "): see to it that this user"
              + " may write there and that the disk is not full.",
          e);
    } catch (InterruptedException e) {
      directory.close();
      Thread.currentThread().interrupt();
      throw new StartRefused("Interrupted while the database was starting: start again.", e);
    } catch (RuntimeException e) {
      directory.close();
      throw e;
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

  @Override
  public synchronized void close() {
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
