package dev.postroom.testkit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The HTTP interface of one node, for tests that run it as a process. Whatever is not answered with
 * success is an {@link AssertionError}, except by {@link #send}. Safe for any thread.
 */
public final class RoomApi {
  private static final int PAGE = 200;
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final URI node;

  /**
   * @param node such as {@code http://127.0.0.1:8080/}
   */
  public RoomApi(URI node) {
    this.node = node;
  }

  /** The same node's socket. */
  public URI ws() {
    return URI.create("ws://" + node.getAuthority() + "/ws");
  }

  /** A token of the development issuer. */
  public String token(String participant) {
    return token(participant, Map.of());
  }

  /**
   * A token of the development issuer with these rights.
   *
   * @param rooms pattern to role
   */
  public String token(String participant, Map<String, String> rooms) {
    Map<String, Object> wish = Map.of("participant", participant, "rooms", rooms);
    return done("POST", null, "dev/tokens", wish).path("token").asText();
  }

  public JsonNode make(String token, String room) {
    return done("PUT", token, "api/rooms/" + room, Map.of());
  }

  public void close(String token, String room) {
    done("DELETE", token, "api/rooms/" + room, null);
  }

  public void putMember(String token, String room, String participant, String role) {
    done("PUT", token, member(room, participant), Map.of("role", role));
  }

  public void removeMember(String token, String room, String participant) {
    done("DELETE", token, member(room, participant), null);
  }

  private static String member(String room, String participant) {
    return "api/rooms/" + room + "/members/" + participant;
  }

  public JsonNode audit(String token, String room) {
    return done("GET", token, "api/rooms/" + room + "/audit", null);
  }

  /** The whole room, page by page. */
  public List<JsonNode> messages(String token, String room) {
    List<JsonNode> messages = new ArrayList<>();
    long after = 0;
    while (true) {
      String query = "/messages?limit=" + PAGE + "&after=" + after;
      JsonNode page = done("GET", token, "api/rooms/" + room + query, null).path("messages");
      page.forEach(messages::add);
      if (page.isEmpty()) {
        return messages;
      }
      after = page.get(page.size() - 1).path("seq").asLong();
    }
  }

  /** Sends once; the answer may be anything. */
  public HttpResponse<String> send(String token, String room, String key, String text)
      throws IOException {
    return exchange(
        request("POST", token, "api/rooms/" + room + "/messages", Map.of("text", text))
            .header("Idempotency-Key", '"' + key + '"')
            .build());
  }

  private JsonNode done(String method, String token, String path, Map<String, ?> body) {
    try {
      HttpResponse<String> answer = exchange(request(method, token, path, body).build());
      if (answer.statusCode() / 100 != 2) {
        throw new AssertionError(method + " " + path + ": " + answer.body());
      }
      return json(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    }
  }

  private HttpRequest.Builder request(
      String method, String token, String path, Map<String, ?> body) {
    BodyPublisher publisher = BodyPublishers.noBody();
    if (body != null) {
      publisher = BodyPublishers.ofString(RoomClient.JSON.valueToTree(body).toString());
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.resolve("/" + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .method(method, publisher);
    return token == null ? request : request.header("Authorization", "Bearer " + token);
  }

  private static HttpResponse<String> exchange(HttpRequest request) throws IOException {
    try {
      return HTTP.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  static JsonNode json(String body) throws JsonProcessingException {
    return RoomClient.JSON.readTree(body);
  }
}
