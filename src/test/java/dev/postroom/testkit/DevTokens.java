package dev.postroom.testkit;

import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import java.util.Map;

/** Tokens of the development issuer of the service under test. */
public final class DevTokens {
  private DevTokens() {}

  /** A token that may do everything the default run allows. */
  public static String of(String participant) {
    return of(Map.of("participant", participant, "name", "Name of " + participant));
  }

  /** A token whose rights are limited to these rooms: pattern to role. */
  public static String of(String participant, Map<String, String> rooms) {
    return of(Map.of("participant", participant, "name", participant, "rooms", rooms));
  }

  private static String of(Map<String, ?> body) {
    return RestAssured.given()
        .contentType(ContentType.JSON)
        .body(body)
        .post("/dev/tokens")
        .then()
        .statusCode(200)
        .extract()
        .path("token");
  }
}
