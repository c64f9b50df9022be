package dev.postroom.http;

import static org.hamcrest.Matchers.is;

import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
@QuarkusTestResource(PgResource.class)
class DevTokenResourceTest {

  @Test
  @DisplayName("a foreign page that points its own name at this machine gets no token")
  void developmentTokensAreForThisMachine() {
    RestAssured.given()
        .contentType(ContentType.JSON)
        .header("Host", "evil.example")
        .body(Map.of("participant", "anna"))
        .post("/dev/tokens")
        .then()
        .statusCode(403);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | participant",
        "{\"participant\":\"\"} | participant",
        "{\"participant\":\"a\",\"name\":\" \"} | name",
        "{\"participant\":\"a\",\"rooms\":{\"a b\":\"writer\"}} | rooms",
        "{\"participant\":\"a\",\"rooms\":{\"a\":\"god\"}} | rooms",
        "{\"participant\":\"a\",\"admin\":\"yes\"} | admin",
      })
  void badDevelopmentTokens(String body, String field) {
    RestAssured.given()
        .contentType(ContentType.JSON)
        .body(body)
        .post("/dev/tokens")
        .then()
        .statusCode(400)
        .body("field", is(field));
  }
}
