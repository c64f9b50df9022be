package dev.postroom.bench.relay;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** POSTs to a service on loopback that have to succeed. */
final class Calls {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final int port;
  private String token = "";

  Calls(int port) {
    this.port = port;
  }

  /** The same with a bearer token from now on. */
  void authorize(String bearer) {
    token = bearer;
  }

  /** The answer's body. */
  String post(String path, String json) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofMinutes(5))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }
}
