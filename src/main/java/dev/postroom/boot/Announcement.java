package dev.postroom.boot;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.RegisterForReflection;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** What a person reads once the service answers: what to open, where the data is, how to stop. */
@RegisterForReflection
public final class Announcement implements QuarkusApplication {

  /**
   * Where the embedded database's data is; absent with a database of one's own. Not what {@code
   * POSTROOM_DATA} would set: a container has that whichever database it uses.
   */
  public static final String DATA = "postroom.embedded.directory";

  @Override
  public int run(String... arguments) {
    Config config = ConfigProvider.getConfig();
    String host = config.getValue("quarkus.http.host", String.class);
    int port = config.getValue("quarkus.http.port", int.class);
    System.out.println("Postroom is ready: open http://" + reachable(host) + ":" + port + "/");
    System.out.println(
        config
            .getOptionalValue(DATA, String.class)
            .map(path -> "Data: " + path + " (embedded PostgreSQL)")
            .orElseGet(() -> "Data: PostgreSQL at " + configured(config)));
    System.out.println("Stop: Ctrl-C");
    Quarkus.waitForExit();
    return 0;
  }

  private static String configured(Config config) {
    return ReactiveUrl.parse(config.getValue(ReactiveUrl.PROPERTY, String.class)).toString();
  }

  private static String reachable(String host) {
    boolean everywhere = host.equals("0.0.0.0") || host.equals("::");
    return everywhere ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
  }
}
