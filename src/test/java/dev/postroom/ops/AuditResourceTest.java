package dev.postroom.ops;

import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S5 over HTTP; what the audit finds is in {@link AuditTest}. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class AuditResourceTest {
  private static final String PATH = "/api/rooms/{room}/audit";

  private final String room = "r-" + UUID.randomUUID();

  @Test
  @DisplayName("S5: the proof of a room, as JSON and in one sentence")
  void report() {
    RequestSpecification alice = as("alice");
    send(alice, "k1");
    send(alice, "k2");
    send(alice, "k1");

    RestAssured.given(alice)
        .get(PATH, room)
        .then()
        .statusCode(200)
        .contentType(ContentType.JSON)
        .body("room", is(room))
        .body("clean", is(true))
        .body("head", is(2))
        .body("messages", is(2))
        .body("keysFrom", is(1))
        .body("keptFrom", is(1))
        .body("numbers.dense", is(true))
        .body("numbers.missing", is(0))
        .body("numbers.firstMissing", nullValue())
        .body("numbers.repeated", is(0))
        .body("numbers.beyondHead", is(0))
        .body("keys.unique", is(true))
        .body("keys.repeated", is(0))
        .body("outbox.complete", is(true))
        .body("outbox.overlapping", is(0))
        .body("outbox.beyondHead", is(0))
        .body("outbox.faultyLanes", is(0))
        .body("lanes.size()", is(0))
        .body("texts.complete", is(true))
        .body(
            "sentence",
            equalTo(room + " is clean: numbers 1 to 2 dense, keys unique, outbox complete."));
  }

  @Test
  @DisplayName("a room that does not exist is forbidden, as everywhere")
  void noRoom() {
    RestAssured.given(as("alice"))
        .get(PATH, room)
        .then()
        .statusCode(403)
        .body("code", is("forbidden"));
  }

  @Test
  @DisplayName("S2: what is no room id is invalid, and the field is named")
  void noRoomId() {
    RestAssured.given(as("alice"))
        .get(PATH, "a b")
        .then()
        .statusCode(400)
        .body("code", is("invalid"))
        .body("field", is("room"));
  }

  @Test
  @DisplayName("without a token nothing is told")
  void noToken() {
    RestAssured.get(PATH, room).then().statusCode(401).body("code", is("unauthorized"));
  }

  private void send(RequestSpecification author, String key) {
    RestAssured.given(author)
        .contentType(ContentType.JSON)
        .header("Idempotency-Key", key)
        .body(Map.of("text", "hello"))
        .post("/api/rooms/{room}/messages", room);
  }

  private static RequestSpecification as(String participant) {
    String token =
        RestAssured.given()
            .contentType(ContentType.JSON)
            .body(Map.of("participant", participant))
            .post("/dev/tokens")
            .path("token");
    return RestAssured.given().auth().preemptive().oauth2(token);
  }
}
