package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A socket whose token is renewed with less in it. */
@QuarkusTest
@TestProfile(SocketRightsTest.Closed.class)
@QuarkusTestResource(PgResource.class)
class WeakerTokenTest {

  @TestHTTPResource("/ws")
  URI uri;

  private final String claimed = "claimed-" + UUID.randomUUID();
  private final String given = "given-" + UUID.randomUUID();

  @Test
  @DisplayName("R5, ADR 0004: a weaker token ends the rooms that only the last one gave")
  void weakerToken() {
    RequestSpecification owner = as(DevTokens.of("olga", Map.of("*", "owner")));
    owner.put("/api/rooms/" + claimed).then().statusCode(200);
    owner.put("/api/rooms/" + given).then().statusCode(200);
    owner
        .body(Map.of("role", "reader"))
        .put("/api/rooms/" + given + "/members/rita")
        .then()
        .statusCode(204);
    String strong = DevTokens.of("rita", Map.of("claimed-*", "reader"));
    try (RoomClient rita = RoomClient.joined(uri, strong, claimed, given)) {
      rita.text(RoomClient.frame("auth", null).put("token", DevTokens.of("rita")).toString());
      rita.await("welcome");
      JsonNode left = rita.await("left");
      assertEquals(claimed, left.path("room").asText());
      assertEquals("removed", left.path("reason").asText());

      owner
          .header("Idempotency-Key", "o1")
          .body(Map.of("text", "a member still"))
          .post("/api/rooms/" + given + "/messages")
          .then()
          .statusCode(201);
      assertEquals(given, rita.await("message").path("room").asText());
    }
  }

  private static RequestSpecification as(String token) {
    return RestAssured.given()
        .contentType(ContentType.JSON)
        .header("Authorization", "Bearer " + token);
  }
}
