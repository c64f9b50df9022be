package dev.postroom.http;

import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import dev.postroom.testkit.FaultApi;
import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(PgResource.class)
class DevFaultResourceTest {

  @AfterEach
  void off() {
    FaultApi.end();
  }

  private static RequestSpecification json(String body) {
    return RestAssured.given().contentType(ContentType.JSON).body(body);
  }

  @Test
  @DisplayName("off, on, as it was set, off again")
  void setAndEnd() {
    RestAssured.get("/dev/faults")
        .then()
        .statusCode(200)
        .body("on", is(false))
        .body("setting.dropAcks", is(0f))
        .body("happened", anEmptyMap());
    FaultApi.set(Map.of("seed", 12, "dropAcks", 0.25, "delayMs", 40));
    RestAssured.get("/dev/faults")
        .then()
        .body("on", is(true))
        .body("setting.seed", is(12))
        .body("setting.dropAcks", equalTo(0.25f))
        .body("setting.delayMs", is(40))
        .body("setting.refuse", is(0f))
        .body("happened.dropAcks", is(0));
    json("{\"refuse\":1}")
        .put("/dev/faults")
        .then()
        .body("setting.dropAcks", is(0f))
        .body("setting.refuse", is(1f));
    RestAssured.delete("/dev/faults").then().statusCode(200).body("on", is(false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"dropAcks\":1.5} | dropAcks",
        "{\"refuse\":-0.1} | refuse",
        "{\"cutSockets\":\"often\"} | cutSockets",
        "{\"delayMs\":0} | delayMs",
        "{\"delayMs\":10001} | delayMs",
        "{\"seed\":1.5} | seed",
      })
  void badSettings(String body, String field) {
    json(body).put("/dev/faults").then().statusCode(400).body("field", is(field));
    RestAssured.get("/dev/faults").then().body("on", is(false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | drill",
        "{\"drill\":\"earthquake\",\"participant\":\"ann\"} | drill",
        "{\"drill\":\"cut\"} | participant",
        "{\"drill\":\"freeze\",\"participant\":\"ann\",\"ms\":30001} | ms",
        "{\"drill\":\"freeze\",\"participant\":\"ann\",\"ms\":0} | ms",
        "{\"drill\":\"repeat_delta\",\"participant\":\"ann\"} | room",
        "{\"drill\":\"repeat_delta\",\"participant\":\"ann\",\"room\":\"a b\"} | room",
      })
  void badDrills(String body, String field) {
    json(body).post("/dev/faults/drills").then().statusCode(400).body("field", is(field));
  }

  @Test
  @DisplayName("a foreign page that points its own name at this machine sets nothing")
  void forThisMachine() {
    json("{\"refuse\":1}").header("Host", "evil.example").put("/dev/faults").then().statusCode(403);
    RestAssured.given().header("Host", "evil.example").get("/dev/faults").then().statusCode(403);
    RestAssured.given().header("Host", "evil.example").delete("/dev/faults").then().statusCode(403);
    json("{\"drill\":\"new_epoch\"}")
        .header("Host", "evil.example")
        .post("/dev/faults/drills")
        .then()
        .statusCode(403);
  }
}
