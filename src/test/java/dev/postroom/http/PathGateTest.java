package dev.postroom.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anything is routed, seen from outside. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class PathGateTest {
  private static final String PROBLEM = "application/problem+json";

  @TestHTTPResource("/api/rooms/")
  URI rooms;

  private final HttpClient client = HttpClient.newHttpClient();
  private final String room = Api.newRoom();
  private String token;

  @BeforeEach
  void makeTheRoom() {
    token = Api.newToken("anna");
    Api.as("anna").put(room).then().statusCode(200);
  }

  @ParameterizedTest
  @DisplayName(
      "S2: a call about a member never becomes one about the room, or about another member")
  @ValueSource(
      strings = {"..", ".", "%2e%2e", ".%2E", "x/..", "x/../..", "%FF", "%C1%81", "ben;c=d"})
  void member(String member) throws Exception {
    String path = room + "/members/" + member;
    for (HttpRequest.Builder request :
        new HttpRequest.Builder[] {
          to(path).DELETE(), to(path).PUT(BodyPublishers.ofString("{\"role\":\"reader\"}"))
        }) {
      HttpResponse<String> answer = send(request);
      assertEquals(400, answer.statusCode(), answer.body());
      assertEquals(PROBLEM, answer.headers().firstValue("Content-Type").orElse(""));
      assertTrue(answer.body().contains("\"code\":\"bad_frame\""), answer.body());
    }
    assertEquals(200, send(to(room).GET()).statusCode(), "the room is still there");
    assertTrue(!send(to(room + "/members").GET()).body().contains("ben"));
  }

  @Test
  @DisplayName("S2: what is percent-encoded is part of the name")
  void encoded() {
    for (String member :
        new String[] {"ben;c=d", "a/b", "a/../b", "Zo\u00eb %41", "\ud83d\ude00"}) {
      Api.as("anna")
          .json(Map.of("role", "reader"))
          .put("/api/rooms/{room}/members/{member}", room, member)
          .then()
          .statusCode(204);
      String members =
          Api.as("anna").given().get("/api/rooms/{room}/members", room).path("members").toString();
      assertTrue(members.contains("participant=" + member + ","), members);
    }
  }

  @Test
  @DisplayName("S1, S2: HTTP/2 offered in clear text is not taken up: its bodies say no length")
  void noSecondProtocol() throws Exception {
    BodyPublisher endless =
        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[300_000]));
    HttpRequest request =
        to(room + "/messages").version(HttpClient.Version.HTTP_2).POST(endless).build();
    HttpResponse<String> upgraded =
        client.send(
            to(room).version(HttpClient.Version.HTTP_2).GET().build(), BodyHandlers.ofString());
    assertEquals(200, upgraded.statusCode());
    assertEquals(HttpClient.Version.HTTP_1_1, upgraded.version());
    assertEquals(411, client.send(request, BodyHandlers.ofString()).statusCode());
  }

  @Test
  @DisplayName("S2, TXT: a body of overlong or broken UTF-8 is refused, not read somehow")
  void body() throws Exception {
    for (String bad : new String[] {"\u00c1\u0081", "\u00ed\u00a0\u0080", "\u00ff"}) {
      byte[] body = ("{\"text\":\"" + bad + "\"}").getBytes(StandardCharsets.ISO_8859_1);
      HttpResponse<String> answer =
          send(
              to(room + "/messages")
                  .header("Idempotency-Key", "k")
                  .POST(BodyPublishers.ofByteArray(body)));
      assertEquals(400, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("\"code\":\"bad_frame\""), answer.body());
    }
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(rooms + path))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json");
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return client.send(
        request.version(HttpClient.Version.HTTP_1_1).build(), BodyHandlers.ofString());
  }
}
