package dev.postroom.access;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/** What tokens are checked against, as the settings say. */
public sealed interface KeySetting {

  /** The key itself stands in the settings. */
  record Inline(String content) implements KeySetting {}

  /** The key is read from a file or a URL, again and again, because keys rotate. */
  record Location(String place) implements KeySetting {}

  /** No key: the service gives out tokens itself, to anybody who asks on this machine. */
  record Development() implements KeySetting {}

  /**
   * @throws ConfigurationException if no key is configured although other machines can reach the
   *     service
   */
  static KeySetting of(Config config) {
    Optional<String> inline = setting(config, "mp.jwt.verify.publickey");
    if (inline.isPresent()) {
      return new Inline(inline.get());
    }
    Optional<String> place = setting(config, "mp.jwt.verify.publickey.location");
    if (place.isPresent()) {
      return new Location(place.get());
    }
    String host = config.getOptionalValue("quarkus.http.host", String.class).orElse("0.0.0.0");
    if (!isLoopback(host)) {
      throw new ConfigurationException(
          "No key is configured to verify tokens with, and quarkus.http.host="
              + host
              + " can be reached by others. Give a key: MP_JWT_VERIFY_PUBLICKEY_LOCATION=<file or"
              + " URL of a PEM, JWK or JWKS>, or MP_JWT_VERIFY_PUBLICKEY=<the key itself>; or set"
              + " QUARKUS_HTTP_HOST=127.0.0.1 to try the service out on this machine alone.");
    }
    return new Development();
  }

  private static Optional<String> setting(Config config, String name) {
    // SmallRye's own word for no key.
    return config.getOptionalValue(name, String.class).filter(value -> !value.equals("NONE"));
  }

  /** Whether only this machine can reach a service that listens there. Asks no name server. */
  public static boolean isLoopback(@Nullable String host) {
    if (host == null) {
      return false;
    }
    if (host.toLowerCase(Locale.ROOT).equals("localhost")) {
      return true;
    }
    boolean isAddress = host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    if (!isAddress) {
      return false;
    }
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
