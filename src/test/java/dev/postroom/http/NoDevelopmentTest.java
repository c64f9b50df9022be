package dev.postroom.http;

import static org.hamcrest.Matchers.is;

import dev.postroom.testkit.OwnIssuer;
import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.http.Method;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a key is configured there is nothing that is for development. */
@QuarkusTest
@TestProfile(OwnIssuer.class)
@QuarkusTestResource(PgResource.class)
class NoDevelopmentTest {

  @ParameterizedTest
  @CsvSource({
    "POST, /dev/tokens",
    "GET, /dev/faults",
    "PUT, /dev/faults",
    "DELETE, /dev/faults",
    "POST, /dev/faults/drills",
  })
  void nothingThere(Method method, String path) {
    RestAssured.given()
        .contentType(ContentType.JSON)
        .body("{}")
        .request(method, path)
        .then()
        .statusCode(404)
        .body("code", is("invalid"));
  }
}
