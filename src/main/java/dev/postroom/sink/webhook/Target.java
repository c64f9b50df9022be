package dev.postroom.sink.webhook;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Pure: the URL of a webhook, taken apart.
 *
 * @param tls whether by https
 * @param host a name, or an address without brackets, in lower case
 * @param uri path and query as they go into the request's line
 */
record Target(boolean tls, String host, int port, String uri) {

  private static final String NO_HOST =
      "The URL must have a host: a name, four plain decimal numbers, or an IPv6 address.";

  private static final int LONGEST = 2_048;
  private static final int HTTPS_PORT = 443;
  private static final int HTTP_PORT = 80;
  private static final Pattern VISIBLE = Pattern.compile("[!-~]*");

  /**
   * Takes it apart.
   *
   * @throws IllegalArgumentException with what is wrong, in a sentence
   */
  static Target parse(String text) {
    require(text.length() <= LONGEST, "The URL may have 2,048 characters at most.");
    require(VISIBLE.matcher(text).matches(), "The URL may have visible ASCII characters only.");
    URI uri = uri(text);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    require(scheme.equals("https") || scheme.equals("http"), "The URL must begin with https://.");
    require(uri.getRawUserInfo() == null, "The URL must have no user and no password in it.");
    require(uri.getRawFragment() == null, "The URL must have no fragment (#…).");
    String host = uri.getHost();
    if (host == null) {
      throw new IllegalArgumentException(NO_HOST);
    }
    boolean tls = scheme.equals("https");
    int port = uri.getPort() == -1 ? (tls ? HTTPS_PORT : HTTP_PORT) : uri.getPort();
    require(port >= 1 && port <= 65_535, "The URL's port must be from 1 to 65535.");
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return new Target(tls, host(host.toLowerCase(Locale.ROOT)), port, path + query);
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("The URL is not well-formed.");
    }
  }

  private static String host(String written) {
    boolean brackets = written.startsWith("[");
    String host = brackets ? written.substring(1, written.length() - 1) : written;
    boolean literal = Literal.address(host) != null;
    require(
        literal || (!brackets && !host.endsWith(".") && !Literal.looksLikeNumber(host)), NO_HOST);
    return host;
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** The address that the host is, or null where it is a name. */
  @Nullable InetAddress literal() {
    return Literal.address(host);
  }

  /** Host and port as they go into the request's host header. */
  String authority() {
    String written = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return port == (tls ? HTTPS_PORT : HTTP_PORT) ? written : written + ":" + port;
  }

  /** Without the path, which often holds a secret. */
  @Override
  public String toString() {
    return (tls ? "https://" : "http://") + authority();
  }
}
