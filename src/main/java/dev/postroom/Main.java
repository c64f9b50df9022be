package dev.postroom;

import dev.postroom.boot.Announcement;
import dev.postroom.boot.ExternalDatabase;
import dev.postroom.boot.ListenAddress;
import dev.postroom.boot.PoolSize;
import dev.postroom.boot.StartFailure;
import dev.postroom.boot.StartRefused;
import dev.postroom.embedded.DataDirectory;
import dev.postroom.embedded.EmbeddedDatabase;
import io.quarkus.runtime.ImageMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Starts the service on the PostgreSQL that is configured, or on an embedded one where none is, and
 * stops both in the opposite order.
 *
 * <p>A start that fails for a reason outside the program ends with one line on the error output and
 * exit code 1.
 *
 * <p>Two threads: the one that starts and serves, and the one the JVM runs when it is told to stop;
 * it waits for the service to end before it stops the database.
 */
@QuarkusMain
public final class Main {

  private static final String SECRETS_KEY = "postroom.secrets.key";

  /** Tells its version, and beside the one line of a refused start that is one too many. */
  private static final Logger VALIDATOR =
      Logger.getLogger("org.hibernate.validator.internal.util.Version");

  private final CountDownLatch serviceEnded = new CountDownLatch(1);
  private volatile boolean stopping;
  private boolean serviceBegun;
  private @Nullable EmbeddedDatabase embedded;

  /** Runs until the process is told to stop. */
  public static void main(String... arguments) {
    new Main().run(arguments);
  }

  private void run(String... arguments) {
    VALIDATOR.setLevel(Level.WARNING);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopDatabase, "database-stop"));
    try {
      prepareDatabase();
    } catch (StartRefused e) {
      end(1, e);
    }
    if (begin()) {
      Quarkus.run(Announcement.class, this::end, arguments);
    }
  }

  private synchronized void prepareDatabase() {
    Config config = ConfigProvider.getConfig();
    ListenAddress.check(config);
    PoolSize.check(config);
    if (config.getOptionalValue(ExternalDatabase.URL, String.class).isPresent()) {
      ExternalDatabase.check(config);
      return;
    }
    if (ImageMode.current() == ImageMode.NATIVE_RUN) {
      throw new StartRefused(
          "The native program carries no PostgreSQL: set QUARKUS_DATASOURCE_REACTIVE_URL,"
              + " QUARKUS_DATASOURCE_USERNAME and QUARKUS_DATASOURCE_PASSWORD to one of yours.");
    }
    EmbeddedDatabase database =
        EmbeddedDatabase.start(
            DataDirectory.locate(
                System.getenv(),
                System.getProperty("os.name", ""),
                System.getProperty("user.home", ".")));
    embedded = database;
    System.setProperty(ExternalDatabase.URL, database.reactiveUrl());
    System.setProperty("quarkus.datasource.username", database.username());
    System.setProperty("quarkus.datasource.password", database.password());
    if (config.getOptionalValue(SECRETS_KEY, String.class).isEmpty()) {
      System.setProperty(SECRETS_KEY, database.secretsKey());
    }
    System.setProperty(Announcement.DATA, database.directory().toString());
  }

  /** Whether the service may start: not when the process was told to stop meanwhile. */
  private synchronized boolean begin() {
    serviceBegun = !stopping;
    return serviceBegun;
  }

  /** Called on the starting thread when the service has ended, or never came up. */
  private void end(int code, @Nullable Throwable failure) {
    if (failure != null && !stopping) {
      StartFailure.tell(failure);
    }
    serviceEnded.countDown();
    System.exit(code);
  }

  private void stopDatabase() {
    stopping = true;
    // Waits, where the database is just being started.
    synchronized (this) {
      if (embedded == null) {
        return;
      }
    }
    if (serviceBegun) {
      awaitService();
    }
    embedded.close();
  }

  private void awaitService() {
    try {
      serviceEnded.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
