package dev.postroom.boot;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The address of a PostgreSQL as {@code quarkus.datasource.reactive.url} takes it, {@code
 * postgresql://[user[:password]@]host[:port][/database][?parameters]}, or several of these divided
 * by commas. Pure.
 *
 * @param servers host:port of each
 * @param parameters those after the question mark, user and password included
 */
record ReactiveUrl(List<String> servers, String database, Map<String, String> parameters) {

  static final String PROPERTY = "quarkus.datasource.reactive.url";

  private static final int PORT = 5432;

  /** What the JDBC driver knows by the same name. */
  private static final Set<String> SHARED =
      Set.of("user", "password", "sslmode", "sslrootcert", "sslcert", "sslkey", "options");

  ReactiveUrl {
    servers = List.copyOf(servers);
    parameters = Map.copyOf(parameters);
  }

  /**
   * Reads the property's value.
   *
   * @throws StartRefused when it is not such an address; the message does not repeat it, because it
   *     may hold a password
   */
  static ReactiveUrl parse(String value) {
    List<String> servers = new ArrayList<>();
    Map<String, String> parameters = new LinkedHashMap<>();
    String database = "";
    for (String each : value.split(",", -1)) {
      URI uri = uri(each.trim());
      servers.add(uri.getHost() + ":" + (uri.getPort() < 0 ? PORT : uri.getPort()));
      database = database(uri);
      readUser(uri, parameters);
      readQuery(uri, parameters);
    }
    return new ReactiveUrl(servers, database, parameters);
  }

  private static URI uri(String text) {
    String address = text.startsWith("vertx-reactive:") ? text.substring(15) : text;
    try {
      URI uri = new URI(address);
      boolean ours = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
      if (ours && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Answered below like every other address that is none.
    }
    throw new StartRefused(
        "QUARKUS_DATASOURCE_REACTIVE_URL is not the address of a PostgreSQL: write it as"
            + " postgresql://host:5432/database, with QUARKUS_DATASOURCE_USERNAME and"
            + " QUARKUS_DATASOURCE_PASSWORD beside it.");
  }

  private static String database(URI uri) {
    String path = uri.getPath();
    return path == null || path.length() < 2 ? "" : path.substring(1);
  }

  private static void readUser(URI uri, Map<String, String> parameters) {
    String info = uri.getRawUserInfo();
    if (info != null) {
      String[] parts = info.split(":", 2);
      parameters.put("user", decode(parts[0]));
      if (parts.length == 2) {
        parameters.put("password", decode(parts[1]));
      }
    }
  }

  private static void readQuery(URI uri, Map<String, String> parameters) {
    String query = uri.getRawQuery();
    if (query != null) {
      for (String pair : query.split("&", -1)) {
        String[] parts = pair.split("=", 2);
        if (parts.length == 2) {
          parameters.put(decode(parts[0]), decode(parts[1]));
        }
      }
    }
  }

  private static String decode(String text) {
    // A plus is a plus outside of forms.
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Nullable String user() {
    return parameters.get("user");
  }

  /** The same address for the JDBC driver; of several servers the primary. */
  String jdbc() {
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    for (String name : SHARED.stream().sorted().toList()) {
      String value = parameters.get(name);
      if (value != null) {
        query.add(name + "=" + encode(value));
      }
    }
    if (servers.size() > 1) {
      query.add("targetServerType=primary");
    }
    return "jdbc:postgresql://" + String.join(",", servers) + "/" + encode(database) + query;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** For people: no user, no password. */
  @Override
  public String toString() {
    return String.join(",", servers) + "/" + database;
  }
}
