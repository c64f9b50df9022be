package dev.postroom.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.WebhookTrap;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PgResource.class)
class SinkResourceTest {
  private final String room = Api.newRoom();
  private Api anna;
  private AdminApi sinks;

  @BeforeEach
  void open() {
    anna = Api.as("anna");
    sinks = new AdminApi();
  }

  @AfterEach
  void close() {
    sinks.close();
  }

  @Test
  @DisplayName(
      "PR-70, H1: a sink is made, its secret shown once, and signed events arrive in order")
  void made() {
    Response answer = sinks.admin.json(sinks.draft(room, Map.of())).post("/api/sinks");
    JsonPath sink = answer.jsonPath();
    String id = sink.getString("id");
    assertEquals(201, answer.statusCode());
    assertTrue(id.matches("snk_[a-z2-7]{16}"), id);
    assertTrue(answer.header("Location").endsWith("/api/sinks/" + id));
    assertTrue(sink.getString("secret").startsWith("whsec_"));
    sinks.trap.secrets(sink.getString("secret"));

    anna.send(room, "k1", "one");
    anna.send(room, "k2", "two");

    List<WebhookTrap.Delivery> arrived = sinks.trap.await(2);
    assertEquals(
        "one", arrived.get(0).body().toJsonObject().getJsonObject("data").getString("text"));
    assertEquals(2, arrived.get(1).body().toJsonObject().getJsonObject("data").getInteger("seq"));
    assertEquals(List.of(), sinks.trap.wrongs());
    sinks
        .get("/{sink}", id)
        .then()
        .statusCode(200)
        .body("sink.id", is(id))
        .body("sink.type", is("webhook"))
        .body("sink.name", is("Archive"))
        .body("sink.rooms", is(List.of(room)))
        .body("sink.format", is("structured"))
        .body("sink.poison", is("block"))
        .body("sink.state", is("active"))
        .body("sink.reason", nullValue())
        .body("lanes.parked", is(0))
        .body("deadLetters", is(0));
    sinks.get("").then().statusCode(200).body("sinks.id", hasItem(id));
    String shown = sinks.get("/{sink}", id).asString() + sinks.get("").asString();
    assertFalse(shown.contains("whsec_"), shown);
    sinks.admin.given().delete("/api/sinks/{sink}", id).then().statusCode(204);
    sinks.get("/{sink}", id).then().statusCode(404).body("code", is("invalid"));
    sinks.get("").then().body("sinks.id", not(hasItem(id)));
  }

  @Test
  @DisplayName("PR-70: sinks are for administrators, whatever is asked")
  void adminsOnly() {
    String id = sinks.make(room);
    for (String path :
        List.of(
            "", "/" + id, "/" + id + "/lanes", "/" + id + "/dead-letters", "/" + id + "/events")) {
      anna.given().get("/api/sinks" + path).then().statusCode(403).body("code", is("forbidden"));
      RestAssured.get("/api/sinks" + path).then().statusCode(401);
    }
    for (String path :
        List.of(
            "/pause",
            "/resume",
            "/test",
            "/secret",
            "/redrive",
            "/lanes/" + room + "/redrive",
            "/lanes/" + room + "/skip",
            "/dead-letters/" + room + "/1/redrive")) {
      anna.json(Map.of())
          .post("/api/sinks/" + id + path)
          .then()
          .statusCode(403)
          .body("code", is("forbidden"));
    }
    anna.json(sinks.draft(room, Map.of())).post("/api/sinks").then().statusCode(403);
    anna.given().delete("/api/sinks/{sink}", id).then().statusCode(403);
  }

  @Test
  @DisplayName("S2: what is wrong with a draft is said by field")
  void wrongDrafts() {
    Map<String, Object> wrong = new HashMap<>();
    wrong.put("type", "pigeon");
    wrong.put("name", " ");
    wrong.put("url", "ftp://example.com/");
    wrong.put("rooms", List.of());
    wrong.put("format", "xml");
    wrong.put("poison", "skip_silent");
    wrong.put("start", "yesterday");
    wrong.put("starts", Map.of(room, 0));
    wrong.forEach(
        (field, value) -> {
          Map<String, Object> draft = sinks.draft(room, Map.of());
          draft.put(field, value);
          refused(draft, field);
        });
    for (String field : List.of("type", "name", "url", "rooms")) {
      Map<String, Object> draft = sinks.draft(room, Map.of());
      draft.remove(field);
      refused(draft, field);
    }
    refused(sinks.draft("a b", Map.of()), "rooms");
    refused(sinks.draft(room, Map.of("rooms", java.util.Collections.nCopies(65, "*"))), "rooms");
    refused(sinks.draft(room, Map.of("starts", Map.of("elsewhere", 1))), "starts");
    sinks
        .post(sinks.draft(room, Map.of("name", 5)), "")
        .then()
        .statusCode(400)
        .body("code", is("bad_frame"));
    sinks.admin.given().contentType(ContentType.JSON).post("/api/sinks").then().statusCode(400);
  }

  private void refused(Map<String, Object> draft, String field) {
    sinks
        .post(draft, "")
        .then()
        .statusCode(400)
        .body("code", is("invalid"))
        .body("temporary", is(false))
        .body("field", is(field));
  }

  @Test
  @DisplayName("W1, W3: an address that no webhook may reach is refused when the sink is made")
  void internalAddress() {
    refused(sinks.draft(room, Map.of("url", "https://169.254.169.254/latest")), "url");
    refused(sinks.draft(room, Map.of("url", "https://[::ffff:10.0.0.1]/")), "url");
  }

  @Test
  @DisplayName("H1: a start, for all rooms or for one")
  void starts() {
    anna.send(room, "k1", "one");
    anna.send(room, "k2", "two");
    anna.send(room, "k3", "three");
    sinks.make(room, Map.of("start", "now", "starts", Map.of(room, 2)));

    List<WebhookTrap.Delivery> arrived = sinks.trap.await(2);

    assertEquals(2, arrived.get(0).body().toJsonObject().getJsonObject("data").getInteger("seq"));
  }

  @Test
  @DisplayName("PR-71: what comes while a sink is paused leaves when it is resumed")
  void paused() {
    String id = sinks.make(room);
    sinks.post("/{sink}/pause", id).then().statusCode(200).body("state", is("paused"));
    sinks.post("/{sink}/pause", id).then().statusCode(200);
    anna.send(room, "k1", "one");
    anna.given()
        .get("/api/rooms/{room}/audit", room)
        .then()
        .body("clean", is(true))
        .body("lanes[0].sink", is(id))
        .body("lanes[0].paused", is(true));
    assertEquals(0, sinks.trap.size());

    sinks.post("/{sink}/resume", id).then().statusCode(200).body("state", is("active"));

    sinks.trap.await(1);
  }

  @Test
  @DisplayName("PR-72, W12: a new secret is shown once; the old one signs along for the grace")
  void rotation() {
    JsonPath sink = sinks.make(room, Map.of());
    String id = sink.getString("id");
    String second = rotate(id, Map.of());
    sinks.trap.secrets(sink.getString("secret"));
    anna.send(room, "k1", "one");
    sinks.trap.await(1);
    assertEquals(List.of(), sinks.trap.wrongs(), "the old one");
    sinks.trap.secrets(second);
    anna.send(room, "k2", "two");
    sinks.trap.await(2);
    assertEquals(List.of(), sinks.trap.wrongs(), "the new one");

    String third = rotate(id, Map.of("graceSeconds", 0));

    sinks.trap.secrets(third);
    anna.send(room, "k3", "three");
    sinks.trap.await(3);
    assertEquals(List.of(), sinks.trap.wrongs(), "the newest");
    sinks
        .post(Map.of("graceSeconds", -1), "/{sink}/secret", id)
        .then()
        .statusCode(400)
        .body("field", is("graceSeconds"));
  }

  private String rotate(String id, Map<String, ?> body) {
    return sinks.post(body, "/{sink}/secret", id).then().statusCode(200).extract().path("secret");
  }

  @Test
  @DisplayName(
      "PR-73: a test event goes out at once, also to a paused sink, and nothing is retried")
  void testFire() {
    String id = sinks.make(room);
    sinks.post("/{sink}/pause", id);
    sinks
        .post("/{sink}/test", id)
        .then()
        .statusCode(200)
        .body("delivered", is(true))
        .body("reason", nullValue())
        .body("millis", greaterThanOrEqualTo(0));
    assertEquals(
        "dev.postroom.sink.test.v1",
        sinks.trap.await(1).get(0).body().toJsonObject().getString("type"));

    sinks.trap.fail(500);
    sinks
        .post("/{sink}/test", id)
        .then()
        .statusCode(200)
        .body("delivered", is(false))
        .body("reason", containsString("500"));
    sinks.trap.down();
    sinks
        .post("/{sink}/test", id)
        .then()
        .statusCode(200)
        .body("delivered", is(false))
        .body("reason", notNullValue());
    assertEquals(2, sinks.trap.size());
  }

  @Test
  @DisplayName("PR-70: what there is not is 404 for administrators; a wrong method 405")
  void missing() {
    sinks.get("/snk_none").then().statusCode(404).body("detail", endsWith("no such sink."));
    sinks.post("/snk_none/pause").then().statusCode(404);
    sinks.post(Map.of(), "/snk_none/secret").then().statusCode(404);
    sinks.admin.given().put("/api/sinks").then().statusCode(405);
    sinks.get("/snk_none/nothing").then().statusCode(404);
  }
}
