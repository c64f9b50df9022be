package dev.postroom.access;

import dev.postroom.protocol.Subprotocol;
import io.quarkus.websockets.next.HttpUpgradeCheck;
import io.quarkus.websockets.next.UserData.TypedKey;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is checked before a WebSocket is opened: where the page comes from, and which sub-protocol
 * it speaks. The token is not: a browser cannot read the answer to a refused upgrade, so a bad
 * token is told by close code 4401 on an open socket.
 *
 * <p>Without an {@code Origin} the client is no browser and cannot be used by a foreign page.
 */
@ApplicationScoped
public class UpgradeGate implements HttpUpgradeCheck {

  /** The connection under the socket, for whoever must stop reading from it. */
  public static final TypedKey<HttpConnection> CONNECTION = new TypedKey<>("postroom.connection");

  private static final String ORIGIN = "Origin";
  private static final String HOST = "Host";
  private static final String SUBPROTOCOL = "Sec-WebSocket-Protocol";
  private static final String ANY = "*";

  private final Set<String> allowed;

  @Inject
  UpgradeGate(AccessConfig config) {
    this(config.origins().orElse(Set.of()));
  }

  UpgradeGate(Set<String> allowed) {
    this.allowed = allowed;
  }

  @Override
  public Uni<CheckResult> perform(HttpUpgradeContext context) {
    HttpServerRequest request = context.httpRequest();
    if (!isOriginAllowed(request.headers().getAll(ORIGIN), request.headers().getAll(HOST))) {
      return CheckResult.rejectUpgrade(403);
    }
    if (!isSpoken(request.headers().getAll(SUBPROTOCOL))) {
      return CheckResult.rejectUpgrade(400);
    }
    context.userData().put(CONNECTION, request.connection());
    return CheckResult.permitUpgrade();
  }

  /**
   * Every value counts: with Quarkus's header propagation a page can add an {@code Origin} or a
   * {@code Host} of its choice, but not take away the browser's.
   */
  boolean isOriginAllowed(List<String> origins, List<String> hosts) {
    if (allowed.contains(ANY)) {
      return true;
    }
    for (String origin : origins) {
      boolean sameHost = hosts.size() == 1 && isSameHost(origin, hosts.get(0));
      if (!sameHost && !allowed.contains(origin)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Compares host and port. The scheme only gives the port that is not written: behind a proxy that
   * ends TLS this service cannot know its own scheme.
   */
  private static boolean isSameHost(String origin, String host) {
    URI page = uri(origin);
    URI self = page == null ? null : uri(page.getScheme() + "://" + host);
    return page != null
        && self != null
        && page.getHost() != null
        && page.getHost().equalsIgnoreCase(self.getHost())
        && port(page) == port(self);
  }

  private static @Nullable URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static int port(URI uri) {
    if (uri.getPort() >= 0) {
      return uri.getPort();
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    return scheme.equals("https") ? 443 : 80;
  }

  /** A client that names none takes what comes; one that names only unknown ones would not. */
  static boolean isSpoken(List<String> offers) {
    boolean offered = false;
    for (String offer : offers) {
      for (String name : offer.split(",", -1)) {
        if (name.strip().equals(Subprotocol.V1)) {
          return true;
        }
        offered |= !name.isBlank();
      }
    }
    return !offered;
  }
}
