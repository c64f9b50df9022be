package dev.postroom.http;

import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.Seed;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every error below /api is a problem document. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class ProblemsTest {
  private static final String PATH = "/api/rooms/{room}/messages";
  private static final String PROBLEM = "application/problem+json";

  private final String room = Api.newRoom();

  @ParameterizedTest
  @DisplayName("S2: a body of the wrong shape names the field, and repeats nothing of it")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{ | 400 | bad_frame | -",
        "{\"text\": | 400 | bad_frame | -",
        "nonsense | 400 | bad_frame | -",
        "[] | 400 | bad_frame | -",
        "\"secret\" | 400 | bad_frame | -",
        "5 | 400 | bad_frame | -",
        "{\"text\":5} | 400 | bad_frame | text",
        "{\"text\":true} | 400 | bad_frame | text",
        "{\"text\":1.5} | 400 | bad_frame | text",
        "{\"text\":[\"secret\"]} | 400 | bad_frame | text",
        "{\"text\":{\"secret\":1}} | 400 | bad_frame | text",
        "{\"text\":\"secret\",\"ifHead\":\"1\"} | 400 | bad_frame | ifHead",
        "{\"text\":\"secret\",\"ifHead\":1.5} | 400 | bad_frame | ifHead",
        "{\"text\":\"secret\",\"ifHead\":true} | 400 | bad_frame | ifHead",
        "{\"text\":\"secret\",\"ifHead\":99999999999999999999} | 400 | bad_frame | ifHead",
        "{\"text\":\"secret\"} {} | 400 | bad_frame | -",
        "{\"text\":\"secret\",\"text\":\"b\"} | 400 | bad_frame | -",
        "{} | 400 | invalid | text",
        "null | 400 | invalid | text",
        "{\"text\":null} | 400 | invalid | text",
        "{\"text\":\"\"} | 400 | invalid | text",
        "{\"text\":\"secret\\u0000\"} | 400 | invalid | text",
        "{\"text\":\"secret\\ud800\"} | 400 | invalid | text",
        "{\"text\":\"secret\",\"ifHead\":-1} | 400 | invalid | ifHead",
      })
  void bodies(String body, int status, String code, String field) {
    Response answer = Api.as("anna").json(body).header("Idempotency-Key", "k").post(PATH, room);
    answer.then().statusCode(status).contentType(PROBLEM).body("code", is(code));
    assertEquals(field, answer.path("field"));
    assertFalse(answer.asString().contains("secret"), answer.asString());
  }

  @Test
  void emptyBody() {
    Api.as("anna")
        .given()
        .contentType("application/json")
        .header("Idempotency-Key", "k")
        .post(PATH, room)
        .then()
        .statusCode(400)
        .contentType(PROBLEM)
        .body("field", is("text"));
  }

  @Test
  @DisplayName("S2: 2,000 generated bodies: never anything but a problem, never a 500")
  void generatedBodies() throws IOException, InterruptedException {
    long seed = Seed.pick("ProblemsTest");
    Random random = new Random(seed);
    String good = "{\"text\":\"hello\",\"ifHead\":123456}";
    HttpClient client = HttpClient.newHttpClient();
    String token = Api.newToken("fuzz");
    for (int round = 0; round < 2_000; round++) {
      byte[] body = good.getBytes(StandardCharsets.UTF_8);
      int changes = 1 + random.nextInt(3);
      for (int i = 0; i < changes; i++) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      HttpRequest request =
          HttpRequest.newBuilder(
                  URI.create("http://localhost:" + RestAssured.port + "/api/rooms/f/messages"))
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", "application/json")
              .header("Idempotency-Key", "k" + round)
              .POST(HttpRequest.BodyPublishers.ofByteArray(body))
              .build();
      HttpResponse<String> answer =
          client.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      String shown = answer.statusCode() + " " + answer.body() + " seed " + seed + " " + round;
      boolean accepted = answer.statusCode() == 201;
      // 412: the change left a good body; 429: the participant's rate.
      boolean refused = List.of(400, 412, 429).contains(answer.statusCode());
      assertTrue(accepted || refused, shown);
      if (refused) {
        assertEquals(PROBLEM, answer.headers().firstValue("Content-Type").orElse(""), shown);
      }
    }
  }

  @Test
  void textTooLarge() {
    Api.as("anna")
        .send(room, "k", "x".repeat(16_385))
        .then()
        .statusCode(413)
        .contentType(PROBLEM)
        .body("code", is("too_large"))
        .body("field", is("text"));
  }

  @Test
  void bodyTooLarge() {
    Api.as("anna")
        .send(room, "k", "x".repeat(200_000))
        .then()
        .statusCode(413)
        .contentType(PROBLEM)
        .body("code", is("too_large"));
  }

  @Test
  @DisplayName("S1: a body that does not say how long it is is refused unread")
  void chunkedBody() throws IOException, InterruptedException {
    String token = Api.newToken("anna");
    byte[] chunk = ("{\"text\":\"" + "x".repeat(200_000) + "\"}").getBytes(StandardCharsets.UTF_8);
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://localhost:" + RestAssured.port + "/api/rooms/f/messages"))
            .version(HttpClient.Version.HTTP_1_1)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "k")
            .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(chunk)))
            .build();
    HttpResponse<String> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(411, answer.statusCode());
    assertEquals(PROBLEM, answer.headers().firstValue("Content-Type").orElse(""));
  }

  @Test
  void notFound() {
    for (String path : new String[] {"/api", "/api/", "/api/nothing", "/api/rooms/r/nothing/x"}) {
      Api.as("anna").given().get(path).then().statusCode(404).contentType(PROBLEM);
    }
  }

  @Test
  void wrongMethod() {
    Api.as("anna").given().delete(PATH, room).then().statusCode(405).contentType(PROBLEM);
  }

  @ParameterizedTest
  @DisplayName("PR-65: the audit is read and nothing else")
  @CsvSource({"POST", "PUT", "DELETE", "PATCH"})
  void wrongMethodOfTheAudit(String method) {
    Api.as("anna")
        .json(Map.of())
        .request(method, "/api/rooms/{room}/audit", room)
        .then()
        .statusCode(405)
        .contentType(PROBLEM)
        .body("code", is("invalid"))
        .body("temporary", is(false));
  }

  @Test
  void wrongMediaType() {
    Api.as("anna")
        .given()
        .contentType("text/plain")
        .header("Idempotency-Key", "k")
        .body("hello")
        .post(PATH, room)
        .then()
        .statusCode(415)
        .contentType(PROBLEM);
  }

  @Test
  void wrongAccept() {
    Api.as("anna")
        .given()
        .accept("image/png")
        .get("/api/rooms")
        .then()
        .statusCode(406)
        .contentType(PROBLEM);
  }
}
