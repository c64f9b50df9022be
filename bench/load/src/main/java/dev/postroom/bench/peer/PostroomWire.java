package dev.postroom.bench.peer;

import dev.postroom.bench.Heard;
import dev.postroom.bench.Talk;
import dev.postroom.bench.Wire;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sub-protocol {@code postroom.v1}, with tokens of the development issuer. */
final class PostroomWire implements Wire {
  private static final int TOKENS_AT_ONCE = 64;

  private final Map<String, String> tokens = new ConcurrentHashMap<>();

  @Override
  public void prepare(int port, List<String> users) {
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int from = 0; from < users.size(); from += TOKENS_AT_ONCE) {
      List<String> some = users.subList(from, Math.min(users.size(), from + TOKENS_AT_ONCE));
      CompletableFuture.allOf(
              some.stream()
                  .map(user -> fetchToken(http, port, user))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    }
  }

  private CompletableFuture<?> fetchToken(HttpClient http, int port, String user) {
    String body = "{\"participant\":\"" + user + "\",\"name\":\"" + user + "\"}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/dev/tokens"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return http.sendAsync(request, BodyHandlers.ofString())
        .thenAccept(answer -> tokens.put(user, token(answer)));
  }

  private static String token(HttpResponse<String> answer) {
    String token = Frame.string(answer.body(), "\"token\":\"", 0);
    if (token == null) {
      throw new IllegalStateException(new IOException("no token: " + answer.body()));
    }
    return token;
  }

  @Override
  public WebSocketConnectOptions connect(int port, String user) {
    return new WebSocketConnectOptions()
        .setHost("127.0.0.1")
        .setPort(port)
        .setURI("/ws")
        .addSubProtocol("postroom.v1")
        .addHeader("Authorization", "Bearer " + tokens.get(user));
  }

  @Override
  public Talk open(WebSocket socket, String user, @Nullable Object before, Heard heard) {
    return new PostroomTalk(socket, before, heard);
  }
}
