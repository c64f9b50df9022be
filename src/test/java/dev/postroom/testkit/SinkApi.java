package dev.postroom.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code /api/sinks} of one node, as an administrator with a token of the development issuer.
 * Whatever is not answered with success is an {@link AssertionError}. Safe for any thread.
 */
public final class SinkApi {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final URI node;
  private final String token;

  /**
   * @param node such as {@code http://127.0.0.1:8080/}
   */
  public SinkApi(URI node) {
    this.node = node;
    this.token =
        done(null, "POST", "dev/tokens", Map.of("participant", "operator", "admin", true))
            .path("token")
            .asText();
  }

  /** An administrator's token. */
  public String token() {
    return token;
  }

  /** A webhook sink; the answer has its {@code id} and {@code secret}. */
  public JsonNode create(String name, String url, String... rooms) {
    return create(Map.of("type", "webhook", "name", name, "url", url, "rooms", List.of(rooms)));
  }

  /** A sink of these fields. */
  public JsonNode create(Map<String, ?> fields) {
    return done(token, "POST", "api/sinks", fields);
  }

  /** Anything below a sink, such as {@code POST …/pause}. */
  public JsonNode call(String method, String sink, String rest, Map<String, ?> body) {
    return done(token, method, "api/sinks/" + sink + rest, body);
  }

  private JsonNode done(String bearer, String method, String path, Map<String, ?> body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.resolve("/" + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(
                        RoomClient.JSON.valueToTree(body).toString()));
    if (bearer != null) {
      request.header("Authorization", "Bearer " + bearer);
    }
    try {
      HttpResponse<String> answer =
          HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new AssertionError(method + " " + path + ": " + answer.body());
      }
      return answer.body().isEmpty()
          ? RoomClient.JSON.nullNode()
          : RoomClient.JSON.readTree(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
