package dev.postroom.http;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@QuarkusTestResource(PgResource.class)
class MessageResourceTest {
  private static final String PATH = "/api/rooms/{room}/messages";

  private final String room = Api.newRoom();
  private Api anna;
  private Api ben;

  @BeforeEach
  void people() {
    anna = Api.as("anna");
    ben = Api.as("ben");
  }

  @Test
  @DisplayName("A2: 201 first, then 200 and Idempotency-Replayed with the first result")
  void firstAndRepeat() {
    JsonPath first =
        anna.send(room, "k1", "yes")
            .then()
            .statusCode(201)
            .header("Idempotency-Replayed", nullValue())
            .body("type", is("ack"))
            .body("room", is(room))
            .body("clientMessageId", is("k1"))
            .body("seq", is(1))
            .body("head", is(1))
            .body("duplicate", is(false))
            .extract()
            .jsonPath();
    anna.send(room, "k2", "more").then().statusCode(201).body("seq", is(2));
    anna.send(room, "k1", "yes")
        .then()
        .statusCode(200)
        .header("Idempotency-Replayed", "true")
        .body("duplicate", is(true))
        .body("messageId", is(first.getString("messageId")))
        .body("epoch", is(first.getString("epoch")))
        .body("acceptedAt", is(first.getString("acceptedAt")))
        .body("seq", is(1))
        .body("head", is(2));
  }

  @Test
  @DisplayName("A3: the same key with other content changes nothing and names the first")
  void conflict() {
    String first = anna.send(room, "k1", "yes").path("messageId");
    anna.send(room, "k1", "no")
        .then()
        .statusCode(422)
        .contentType("application/problem+json")
        .body("code", is("id_conflict"))
        .body("temporary", is(false))
        .body("messageId", is(first))
        .body("seq", is(1));
    anna.given().get(PATH, room).then().body("messages.text", contains("yes"));
  }

  @Test
  @DisplayName("I9: key order and white space of the JSON are no content")
  void jsonIsParsed() {
    anna.json("{\"text\":\"yes\",\"ifHead\":0}").header("Idempotency-Key", "k").post(PATH, room);
    anna.json(" { \"unknown\" : [1], \"ifHead\" : 0 ,\n \"text\" : \"\\u0079es\" } ")
        .header("Idempotency-Key", "k")
        .post(PATH, room)
        .then()
        .statusCode(200)
        .body("duplicate", is(true));
  }

  @Test
  @DisplayName("I10, ACC-07: participant, room and key name a command, all three")
  void keySpace() {
    String other = Api.newRoom();
    anna.send(room, "1", "a").then().statusCode(201).body("seq", is(1));
    ben.send(room, "1", "b").then().statusCode(201).body("seq", is(2));
    anna.send(other, "1", "c").then().statusCode(201).body("seq", is(1));
    anna.send(room, "2", "d").then().statusCode(201).body("seq", is(3));
  }

  @Test
  @DisplayName("ACC-08: a renewed token is the same participant")
  void renewedToken() {
    anna.send(room, "k1", "yes").then().statusCode(201);
    Api renewed = new Api(Api.newToken("anna"));
    renewed.send(room, "k1", "yes").then().statusCode(200).body("duplicate", is(true));
  }

  @Test
  @DisplayName("I13: sent over the socket and, without waiting for the ack, over HTTP: one message")
  void oneKeySpaceWithTheSocket() {
    URI socket = URI.create("ws://localhost:" + RestAssured.port + "/ws");
    try (RoomClient client = RoomClient.joined(socket, Api.newToken("anna"), room)) {
      client.send(room, "k1", "yes");
      JsonPath overHttp = anna.send(room, "k1", "yes").jsonPath();
      JsonNode overSocket = client.await("ack");
      assertEquals(overSocket.get("messageId").asText(), overHttp.getString("messageId"));
      assertNotEquals(overSocket.get("duplicate").asBoolean(), overHttp.getBoolean("duplicate"));
    }
    anna.given().get(PATH, room).then().body("messages.seq", contains(1));
  }

  @Test
  void ifHead() {
    anna.send(room, "k1", "a");
    anna.json(Map.of("text", "b", "ifHead", 0))
        .header("Idempotency-Key", "k2")
        .post(PATH, room)
        .then()
        .statusCode(412)
        .body("code", is("stale_head"))
        .body("head", is(1))
        .body("field", is("ifHead"));
    anna.json(Map.of("text", "b", "ifHead", 1))
        .header("Idempotency-Key", "k2")
        .post(PATH, room)
        .then()
        .statusCode(201);
  }

  @ParameterizedTest
  @CsvSource({"bare-1,bare-1", "'\"quoted, 1\"','quoted, 1'", "'\"a\\\"b\"','a\"b'"})
  void keyForms(String header, String id) {
    anna.send(room, header, "x").then().statusCode(201).body("clientMessageId", is(id));
  }

  @ParameterizedTest
  @DisplayName("A7: a key that is none is refused by name")
  @ValueSource(strings = {"", "\"\"", "\"open", "a, b", "ü"})
  void badKeys(String header) {
    anna.send(room, header, "x")
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("code", is("invalid"))
        .body("field", is("Idempotency-Key"));
  }

  @Test
  void keyTooLong() {
    anna.send(room, "k".repeat(128), "x").then().statusCode(201);
    for (String key : List.of("k".repeat(129), "k".repeat(300), "\"" + "k".repeat(300) + "\"")) {
      anna.send(room, key, "x").then().statusCode(400).body("field", is("Idempotency-Key"));
    }
  }

  @Test
  void twoKeysOrNone() {
    anna.json(Map.of("text", "x"))
        .header("Idempotency-Key", "a", "b")
        .post(PATH, room)
        .then()
        .statusCode(400)
        .body("field", is("Idempotency-Key"));
    anna.json(Map.of("text", "x"))
        .post(PATH, room)
        .then()
        .statusCode(400)
        .body("field", is("Idempotency-Key"))
        .body("detail", containsString("needed"));
  }

  @Test
  @DisplayName("TXT-07: text comes back code point by code point")
  void unicode() {
    String text = "\u202e\r\n👩‍👩‍👧‍👦 \\u0000 e\u0301" + "\u0301".repeat(5_000) + "<b>&amp;";
    anna.send(room, "k", text).then().statusCode(201);
    Response page = anna.given().get(PATH, room);
    assertEquals(text, page.jsonPath().getString("messages[0].text"));
  }

  @Test
  void pages() {
    for (int i = 1; i <= 7; i++) {
      anna.send(room, "k" + i, "t" + i).then().statusCode(201);
    }
    anna.given().get(PATH + "?limit=3", room).then().body("messages.seq", contains(5, 6, 7));
    anna.given()
        .get(PATH + "?after=2&limit=3", room)
        .then()
        .body("messages.seq", contains(3, 4, 5))
        .body("head", is(7))
        .body("room", is(room));
    anna.given().get(PATH + "?before=3", room).then().body("messages.seq", contains(1, 2));
    anna.given().get(PATH + "?after=7", room).then().statusCode(200).body("messages", empty());
    anna.given().get(PATH + "?after=999", room).then().statusCode(200).body("messages", empty());
  }

  @Test
  @DisplayName("R6: pages joined together are the room")
  void walkBack() {
    for (int i = 1; i <= 10; i++) {
      anna.send(room, "k" + i, "t" + i);
    }
    List<Integer> seen = new ArrayList<>();
    Integer before = null;
    while (true) {
      String query = "?limit=4" + (before == null ? "" : "&before=" + before);
      List<Integer> page = anna.given().get(PATH + query, room).path("messages.seq");
      if (page.isEmpty()) {
        break;
      }
      seen.addAll(0, page);
      before = page.get(0);
    }
    assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), seen);
  }

  @ParameterizedTest
  @DisplayName("S2: a bad parameter is refused by name")
  @CsvSource({
    "limit=0,limit",
    "limit=201,limit",
    "limit=x,limit",
    "after=-1,after",
    "after=1.5,after",
    "after=99999999999999999999,after",
    "before=0,before",
    "before=1&after=1,before",
  })
  void badParameters(String query, String field) {
    anna.given()
        .get(PATH + "?" + query, room)
        .then()
        .statusCode(400)
        .contentType("application/problem+json")
        .body("field", is(field));
  }

  @Test
  void readingMakesNoRoom() {
    anna.given().get(PATH, room).then().statusCode(403).body("code", is("forbidden"));
  }

  @Test
  void badRoom() {
    anna.given().get(PATH, "a b").then().statusCode(400).body("field", is("room"));
    anna.send("ä", "k", "x").then().statusCode(400).body("field", is("room"));
    anna.send("r".repeat(129), "k", "x").then().statusCode(400).body("field", is("room"));
  }

  @Test
  @DisplayName("no token: 401 that says how, before anything else is looked at")
  void noToken() {
    RestAssured.given()
        .contentType(ContentType.JSON)
        .body("{")
        .post(PATH, "a b")
        .then()
        .statusCode(401)
        .contentType("application/problem+json")
        .header("WWW-Authenticate", "Bearer realm=\"postroom\"")
        .body("code", is("unauthorized"));
  }

  @Test
  void badToken() {
    new Api("a.b.c")
        .given()
        .get(PATH, room)
        .then()
        .statusCode(401)
        .header("WWW-Authenticate", containsString("error=\"invalid_token\""))
        .body("detail", not(containsString("a.b.c")))
        .body("temporary", equalTo(false));
  }
}
