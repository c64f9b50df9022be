package dev.postroom.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.LogTrap;
import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that no HTTP library would send: answered, and nobody's trouble but the sender's. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class RawRequestTest {

  @TestHTTPResource("/")
  URI uri;

  private final LogTrap log = LogTrap.open();

  @AfterEach
  void close() {
    log.close();
  }

  @ParameterizedTest
  @DisplayName("S2, PR-65: an address that can be taken for another is a problem, not an alarm")
  @CsvSource({
    "OPTIONS /api/../rooms, 400",
    "GET http://elsewhere.example/api/rooms, 401",
    "GET /api/rooms, 401",
  })
  void routed(String line, int status) throws IOException {
    String head = headOf(line + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertStatus(status, head);
    assertTrue(head.toLowerCase(Locale.ROOT).contains("application/problem+json"), head);
    assertEquals(List.of(), log.alarms());
  }

  @ParameterizedTest
  @DisplayName("S1, S2, PR-65: what has no address, or is no request, is a bare status, no alarm")
  @CsvSource({
    "OPTIONS *, 404",
    "GET *, 404",
    "GET api/rooms, 404",
    "line, 414",
    "header, 431",
    "nonsense, 400",
    "version, 501",
  })
  void unrouted(String what, int status) throws IOException {
    String much = "x".repeat(40_000);
    String host = "\r\nHost: localhost\r\n";
    String head =
        headOf(
            switch (what) {
              case "line" -> "GET /" + much + " HTTP/1.1" + host + "\r\n";
              case "header" -> "GET / HTTP/1.1" + host + "X: " + much + "\r\n\r\n";
              case "nonsense" -> "nonsense\r\n\r\n";
              case "version" -> "GET / HTTP/7.3" + host + "\r\n";
              default -> what + " HTTP/1.1" + host + "\r\n";
            });
    assertStatus(status, head);
    assertEquals(List.of(), log.alarms());
  }

  private static void assertStatus(int status, String head) {
    assertEquals(String.valueOf(status), head.split(" ", 3)[1], head);
  }

  /** Status and headers of the answer. */
  private String headOf(String request) throws IOException {
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = socket.getInputStream().read();
        assertTrue(next >= 0, "ended: " + head);
        head.append((char) next);
      }
      return head.toString();
    }
  }
}
