package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The gate in front of the socket, asked by hand-written handshakes. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class HandshakeTest {

  private static int status(String... headers) throws IOException {
    StringBuilder request = new StringBuilder("GET /ws HTTP/1.1\r\n");
    request.append("Host: localhost:").append(RestAssured.port).append("\r\n");
    request.append("Upgrade: websocket\r\nConnection: Upgrade\r\n");
    request.append("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    request.append("\r\n");
    try (Socket socket = new Socket("127.0.0.1", RestAssured.port)) {
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
      String answer =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      return Integer.parseInt(answer.split(" ", 3)[1]);
    }
  }

  private static String own() {
    return "Origin: http://localhost:" + RestAssured.port;
  }

  private static String propagated(String header, String value) {
    return URLEncoder.encode(
        "quarkus-http-upgrade#" + header + "#" + value, StandardCharsets.UTF_8);
  }

  @Test
  void noOrigin() throws IOException {
    assertEquals(101, status());
  }

  @Test
  void ownOrigin() throws IOException {
    assertEquals(101, status(own()));
  }

  @Test
  @DisplayName("a foreign page cannot open a socket")
  void foreignOrigin() throws IOException {
    assertEquals(403, status("Origin: https://evil.example"));
  }

  @Test
  @DisplayName("nor by adding headers through the sub-protocol")
  void addedOrigin() throws IOException {
    String added = propagated("Origin", "http://localhost:" + RestAssured.port);
    assertEquals(
        403,
        status("Origin: https://evil.example", "Sec-WebSocket-Protocol: postroom.v1, " + added));
    assertEquals(
        403,
        status(
            "Origin: https://evil.example",
            "Sec-WebSocket-Protocol: postroom.v1, " + propagated("Host", "evil.example")));
  }

  @Test
  void subprotocols() throws IOException {
    assertEquals(101, status("Sec-WebSocket-Protocol: postroom.v1"));
    assertEquals(400, status("Sec-WebSocket-Protocol: postroom.v9"));
  }
}
