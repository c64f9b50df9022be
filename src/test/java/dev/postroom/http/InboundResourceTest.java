package dev.postroom.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.sink.webhook.Signature;
import dev.postroom.sink.webhook.SigningSecret;
import dev.postroom.testkit.InboundSettings;
import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(PgResource.class)
class InboundResourceTest {
  private static final String PATH = "/api/inbound/{source}";
  private static final String STRUCTURED = "application/cloudevents+json";
  private static final String ACCEPTED = "dev.postroom.message.accepted.v1";

  private final String room = Api.newRoom();
  private Api anna;

  @BeforeEach
  void people() {
    anna = Api.as("anna");
  }

  /** As another Postroom writes it. */
  private String mirrored(String type, String id, String text) {
    return """
    {"specversion":"1.0","id":"%s","source":"/rooms/%2$s","type":"%3$s","data":{"room":"%2$s",
     "epoch":"e","seq":1,"author":{"id":"ben","name":"Ben"},"text":"%4$s"}}"""
        .formatted(id, room, type, text);
  }

  private static RequestSpecification signed(
      String secret, Instant at, String signedBody, String body) {
    long seconds = at.getEpochSecond();
    String signature =
        Signature.sign(
            "w1", seconds, signedBody.getBytes(UTF_8), List.of(SigningSecret.parse(secret)));
    return RestAssured.given()
        .header(Signature.ID, "w1")
        .header(Signature.TIMESTAMP, seconds)
        .header(Signature.SIGNATURE, signature)
        .contentType(STRUCTURED)
        .body(body.getBytes(UTF_8));
  }

  private static Response deliver(String body) {
    return signed(InboundSettings.SECRET, Instant.now(), body, body).post(PATH, "bridge");
  }

  private static RequestSpecification order() {
    return RestAssured.given()
        .auth()
        .preemptive()
        .oauth2(InboundSettings.TOKEN)
        .header("ce-specversion", "1.0")
        .header("ce-source", "/shop")
        .header("ce-type", "order.placed")
        .contentType("application/json");
  }

  @Test
  @DisplayName("H5, A2: a delivery is stored once; its repeats get 200 and the first result")
  void firstAndRepeat() {
    String body = mirrored(ACCEPTED, room + ":e:1", "grüße");
    JsonPath first =
        deliver(body)
            .then()
            .statusCode(201)
            .header("Idempotency-Replayed", nullValue())
            .body("room", is(room))
            .body("clientMessageId", is(room + ":e:1"))
            .body("seq", is(1))
            .body("duplicate", is(false))
            .extract()
            .jsonPath();
    // White space and the order of fields are no content.
    deliver(body.replace("\n", " "))
        .then()
        .statusCode(200)
        .header("Idempotency-Replayed", "true")
        .body("messageId", is(first.getString("messageId")))
        .body("duplicate", is(true));
    anna.given()
        .get("/api/rooms/{room}/messages", room)
        .then()
        .body("messages.text", contains("grüße"))
        .body("messages[0].author.id", is("mirror:ben"))
        .body("messages[0].author.name", is("Ben"));
  }

  @Test
  @DisplayName("A3: the same id with other content changes nothing")
  void conflict() {
    String first = deliver(mirrored(ACCEPTED, "e1", "yes")).path("messageId");
    deliver(mirrored(ACCEPTED, "e1", "no"))
        .then()
        .statusCode(422)
        .contentType("application/problem+json")
        .body("code", is("id_conflict"))
        .body("field", is("id"))
        .body("messageId", is(first))
        .body("seq", is(1));
  }

  @Test
  @DisplayName("D16: two messages with equal text are two messages")
  void equalTexts() {
    deliver(mirrored(ACCEPTED, "e1", "same")).then().statusCode(201);
    deliver(mirrored(ACCEPTED, "e2", "same")).then().statusCode(201).body("seq", is(2));
  }

  @ParameterizedTest
  @DisplayName("gaps and tests of a bridge are taken note of and left alone")
  @ValueSource(strings = {"dev.postroom.room.gap.v1", "dev.postroom.sink.test.v1", "other"})
  void typesThatAreNotTaken(String type) {
    deliver(mirrored(type, "e1", "x")).then().statusCode(204);
    anna.given().get("/api/rooms/{room}", room).then().statusCode(403);
  }

  @Test
  @DisplayName("an id of any length and alphabet names its event")
  void longIds() {
    String id = "ü".repeat(300);
    deliver(mirrored(ACCEPTED, id, "x"))
        .then()
        .statusCode(201)
        .body("clientMessageId", startsWith("sha256:"));
    deliver(mirrored(ACCEPTED, id, "x")).then().statusCode(200);
    deliver(mirrored(ACCEPTED, id + "ü", "x")).then().statusCode(201);
  }

  @Test
  @DisplayName("W12: the old secret signs along; a wrong one, another body, an old time do not")
  void signatures() {
    String body = mirrored(ACCEPTED, "e1", "x");
    Instant now = Instant.now();
    signed(InboundSettings.OLD_SECRET, now, body, body).post(PATH, "bridge").then().statusCode(201);
    String stranger = "whsec_" + "A".repeat(32);
    Response wrong = signed(stranger, now, body, body).post(PATH, "bridge");
    Response unknown = signed(stranger, now, body, body).post(PATH, "nobody");
    wrong
        .then()
        .statusCode(401)
        .contentType("application/problem+json")
        .header("WWW-Authenticate", notNullValue())
        .body("code", is("unauthorized"));
    assertEquals(wrong.asString(), unknown.asString());
    assertEquals(401, unknown.statusCode());
    signed(InboundSettings.SECRET, now, body, body + " ")
        .post(PATH, "bridge")
        .then()
        .statusCode(401);
    signed(InboundSettings.SECRET, now.minusSeconds(400), body, body)
        .post(PATH, "bridge")
        .then()
        .statusCode(401);
  }

  @Test
  @DisplayName("a participant's token opens no source, and a source's token no room")
  void otherTokens() {
    anna.given()
        .contentType(STRUCTURED)
        .body(mirrored(ACCEPTED, "e1", "x"))
        .post(PATH, "orders")
        .then()
        .statusCode(401);
    new Api(InboundSettings.TOKEN).given().get("/api/rooms").then().statusCode(401);
    for (String path : List.of("/api/inbound/../rooms", "/api/inbound/%2e%2e/rooms")) {
      RestAssured.given().urlEncodingEnabled(false).get(path).then().statusCode(not(200));
    }
  }

  @Test
  @DisplayName("binary form: attributes in headers, data in the body, known by token")
  void binary() {
    anna.put(room);
    order()
        .header("ce-id", "o%2D1")
        .header("ce-subject", room)
        .body("{\"no\":17,\"count\":2.50,\"items\":[{\"name\":\"lamp\"}]}")
        .post(PATH, "orders")
        .then()
        .statusCode(201)
        .body("clientMessageId", is("o-1"));
    anna.given()
        .get("/api/rooms/{room}/messages", room)
        .then()
        .body("messages.text", contains("Order 17: lamp x 2.50"))
        .body("messages[0].author.id", is("inbound:orders"))
        .body("messages[0].author.name", is("orders"));
  }

  @Test
  @DisplayName("H6: create-rooms=false: no such room is the event's fault, not the caller's")
  void roomsAreNotMade() {
    order()
        .header("ce-id", "1")
        .header("ce-subject", room)
        .body("{\"no\":1,\"count\":1,\"items\":[{\"name\":\"lamp\"}]}")
        .post(PATH, "orders")
        .then()
        .statusCode(422)
        .body("code", is("invalid"))
        .body("field", is("room"));
    anna.given().get("/api/rooms/{room}", room).then().statusCode(403);
  }

  @ParameterizedTest
  @DisplayName("S2: what is missing or wrong is named")
  @CsvSource(
      delimiter = '|',
      value = {
        "\"text\":\"x\"      | \"text\":null       | invalid   | /data/text",
        "\"text\":\"x\"      | \"text\":\"\"       | invalid   | text",
        "\"text\":\"x\"      | \"text\":\"\\u0000\"| invalid   | text",
        "\"name\":\"Ben\"    | \"name\":\" \"      | invalid   | name",
        "\"id\":\"ben\",     | ~~                  | invalid   | /data/author/id",
        "\"data\":{\"room\"  | \"data\":{\"rooms\" | invalid   | /data/room",
        "\"specversion\"     | \"version\"         | invalid   | specversion",
        "{\"specversion\"    | [\"specversion\"    | bad_frame | ~~",
      },
      quoteCharacter = '~')
  void faults(String good, String bad, String code, String field) {
    deliver(mirrored(ACCEPTED, "e1", "x").replace(good, bad == null ? "" : bad))
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", is(code))
        .body("field", field == null || field.isEmpty() ? nullValue() : is(field));
  }

  @Test
  @DisplayName("S1: a text over the limit, a body over the limit, a body of another kind")
  void bounds() {
    deliver(mirrored(ACCEPTED, "e1", "x".repeat(16_385)))
        .then()
        .statusCode(413)
        .body("code", is("too_large"))
        .body("field", is("text"));
    deliver(mirrored(ACCEPTED, "e1", "x".repeat(200_000))).then().statusCode(413);
    RestAssured.given()
        .auth()
        .preemptive()
        .oauth2(InboundSettings.TOKEN)
        .contentType("text/plain")
        .body("x")
        .post(PATH, "orders")
        .then()
        .statusCode(415)
        .body("detail", containsString(STRUCTURED));
    // The longest text in its longest escape fits.
    deliver(mirrored(ACCEPTED, "e1", "\\u0001".repeat(16_384))).then().statusCode(201);
  }

  @Test
  @DisplayName("a bridge has no participant's rate: a thousand at once are all taken")
  void noRate() {
    String body = mirrored(ACCEPTED, "e1", "x");
    deliver(body).then().statusCode(201);
    Instant now = Instant.now();
    for (int i = 0; i < 1_000; i++) {
      signed(InboundSettings.SECRET, now, body, body).post(PATH, "bridge").then().statusCode(200);
    }
  }

  @Test
  void unreadableIsRefusedOnlyAfterTheProof() {
    RestAssured.given()
        .contentType(STRUCTURED)
        .body("{" + UUID.randomUUID())
        .post(PATH, "bridge")
        .then()
        .statusCode(401);
  }
}
