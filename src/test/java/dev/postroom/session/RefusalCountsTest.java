package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whatever a client is refused is counted by its code, however early that was. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class RefusalCountsTest {
  @Inject MeterRegistry meters;

  @TestHTTPResource("/ws")
  URI ws;

  private final Map<ErrorCode, Double> before = new EnumMap<>(ErrorCode.class);

  @Test
  @DisplayName("S2: refused frames, each by the code that its client got")
  void frames() {
    try (RoomClient client = RoomClient.joined(ws, DevTokens.of("counted"))) {
      assertCounts(ErrorCode.BAD_FRAME, () -> client.text("no frame"), client);
      assertCounts(ErrorCode.NOT_JOINED, () -> client.send("counted", "k1", "x"), client);
      assertCounts(ErrorCode.INVALID, () -> client.join("no room"), client);
      assertCounts(ErrorCode.INVALID, () -> client.send("counted", "", "x"), client);
    }
  }

  private void assertCounts(ErrorCode code, Runnable frame, RoomClient client) {
    remember();
    frame.run();
    JsonNode error = client.await("error");
    assertEquals(code.wire(), error.path("code").asText());
    assertCounted(code);
  }

  @Test
  @DisplayName("S2: refused requests, also those without a token or a key")
  void requests() {
    remember();
    RestAssured.get("/api/rooms").then().statusCode(401);
    assertCounted(ErrorCode.UNAUTHORIZED);

    remember();
    RestAssured.given()
        .auth()
        .oauth2(DevTokens.of("counted"))
        .contentType(ContentType.JSON)
        .body("{\"text\": \"x\"}")
        .post("/api/rooms/counted/messages")
        .then()
        .statusCode(400);
    assertCounted(ErrorCode.INVALID);
  }

  private void remember() {
    for (ErrorCode code : ErrorCode.values()) {
      before.put(code, count(code));
    }
  }

  private void assertCounted(ErrorCode expected) {
    for (ErrorCode code : ErrorCode.values()) {
      double more = code == expected ? 1 : 0;
      assertEquals(before.get(code) + more, count(code), code.wire());
    }
  }

  private double count(ErrorCode code) {
    return meters.counter("postroom.refused", "code", code.wire()).count();
  }
}
