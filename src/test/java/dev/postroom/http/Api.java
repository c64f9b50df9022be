package dev.postroom.http;

import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The HTTP interface as one participant sees it in the development run. */
final class Api {
  private static final Map<String, Api> KNOWN = new ConcurrentHashMap<>();

  private final String token;

  Api(String token) {
    this.token = token;
  }

  static Api as(String participant) {
    return KNOWN.computeIfAbsent(participant, name -> new Api(newToken(name)));
  }

  /** With the claim admin. */
  static Api admin() {
    return KNOWN.computeIfAbsent(
        "admin", name -> new Api(newToken(Map.of("participant", name, "admin", true))));
  }

  static String newToken(String participant) {
    return newToken(Map.of("participant", participant));
  }

  private static String newToken(Map<String, Object> request) {
    return RestAssured.given()
        .contentType(ContentType.JSON)
        .body(request)
        .post("/dev/tokens")
        .then()
        .statusCode(200)
        .extract()
        .path("token");
  }

  static String newRoom() {
    return "r-" + UUID.randomUUID();
  }

  RequestSpecification given() {
    return RestAssured.given().auth().preemptive().oauth2(token);
  }

  RequestSpecification json(Object body) {
    return given().contentType(ContentType.JSON).body(body);
  }

  Response send(String room, String key, String text) {
    return json(Map.of("text", text))
        .header("Idempotency-Key", key)
        .post("/api/rooms/{room}/messages", room);
  }

  Response put(String room) {
    return given().contentType(ContentType.JSON).put("/api/rooms/{room}", room);
  }
}
