package dev.postroom.boot;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import org.eclipse.microprofile.config.Config;

/**
 * Looks whether the service will be able to listen, before anything else is started in vain.
 * Another program may still come first between this look and the service; {@link StartFailure} then
 * says the same.
 */
public final class ListenAddress {

  private static final String HOST = "quarkus.http.host";
  private static final String PORT = "quarkus.http.port";

  private ListenAddress() {}

  /**
   * Returns when the address is free.
   *
   * @throws StartRefused when it is not
   */
  public static void check(Config config) {
    int port = config.getOptionalValue(PORT, Integer.class).orElse(0);
    String host = config.getOptionalValue(HOST, String.class).orElse("127.0.0.1");
    if (port == 0) {
      return;
    }
    try {
      new ServerSocket(port, 1, InetAddress.getByName(host)).close();
    } catch (UnknownHostException e) {
      throw new StartRefused(
          "There is no host "
              + host
              + " to listen on: set QUARKUS_HTTP_HOST to an address of this"
              + " machine.",
          e);
    } catch (IOException e) {
      throw new StartRefused(explain(config), e);
    }
  }

  /** What it means that this address cannot be listened on. */
  static String explain(Config config) {
    return "Cannot listen on "
        + config.getOptionalValue(HOST, String.class).orElse("")
        + ":"
        + config.getOptionalValue(PORT, String.class).orElse("")
        + ": another program uses that port, or the address is not this machine's. Stop the other,"
        + " or set QUARKUS_HTTP_PORT to a free port.";
  }
}
