package dev.postroom.http;

import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.db.Db;
import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.vertx.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Lanes, dead letters and the events of a room, over HTTP; what the calls do is in RedriveTest. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class RedriveResourceTest {
  private final String room = Api.newRoom();
  private Api anna;
  private AdminApi sinks;
  private String id;

  @Inject Db db;

  @BeforeEach
  void fiveMessagesForAPausedSink() {
    anna = Api.as("anna");
    sinks = new AdminApi();
    id = sinks.make(room);
    sinks.post("/{sink}/pause", id);
    for (int n = 1; n <= 5; n++) {
      anna.send(room, "k" + n, "text " + n);
    }
    Awaitility.await().until(() -> lane().getInt("pending") == 5);
  }

  @AfterEach
  void close() {
    sinks.close();
  }

  @Test
  @DisplayName("PR-74, PR-75: a parked lane is listed with its reason, redriven once, and leaves")
  void parkedLane() {
    park();
    sinks
        .get("/{sink}/lanes?state=parked", id)
        .then()
        .statusCode(200)
        .body("lanes", hasSize(1))
        .body("lanes[0].room", is(room))
        .body("lanes[0].epoch", notNullValue())
        .body("lanes[0].closed", is(false))
        .body("lanes[0].state", is("parked"))
        .body("lanes[0].paused", is(true))
        .body("lanes[0].nextSeq", is(1))
        .body("lanes[0].knownSeq", is(5))
        .body("lanes[0].lastError", is("answered 422"))
        .body("next", nullValue());
    sinks.get("/{sink}/lanes?state=ready", id).then().body("lanes", hasSize(0));
    sinks.get("/{sink}", id).then().body("lanes.parked", is(1));
    String next = sinks.get("/{sink}/lanes?limit=1", id).path("next");
    sinks.get("/{sink}/lanes?after={n}", id, next).then().body("lanes", hasSize(0));

    redriven("/{sink}/lanes/{room}/redrive", "done");
    redriven("/{sink}/lanes/{room}/redrive", "already");

    sinks.post("/{sink}/resume", id);
    sinks.trap.await(5);
  }

  @Test
  @DisplayName("PR-75: a head is skipped by its number; its gap leaves, and it can come late")
  void skip() {
    park();
    sinks
        .post(Map.of("seq", 2), "/{sink}/lanes/{room}/skip", id, room)
        .then()
        .statusCode(412)
        .body("code", is("stale_head"))
        .body("head", is(1));
    sinks
        .post(Map.of("seq", 1), "/{sink}/lanes/{room}/skip", id, room)
        .then()
        .statusCode(200)
        .body("result", is("done"));
    sinks
        .get("/{sink}/dead-letters", id)
        .then()
        .statusCode(200)
        .body("deadLetters", hasSize(1))
        .body("deadLetters[0].room", is(room))
        .body("deadLetters[0].seq", is(1))
        .body("deadLetters[0].reason", is("answered 422"))
        .body("deadLetters[0].redriving", is(false));
    String next = sinks.get("/{sink}/dead-letters?limit=1", id).path("next");
    sinks.get("/{sink}/dead-letters?after={n}", id, next).then().body("deadLetters", hasSize(0));
    sinks.post("/{sink}/resume", id);
    assertEquals("dev.postroom.room.gap.v1", type(sinks.trap.await(5).get(0)));
    Awaitility.await().until(() -> lane().getString("state").equals("idle"));

    redriven("/{sink}/dead-letters/{room}/1/redrive", "done");

    assertEquals("dev.postroom.message.accepted.v1", type(sinks.trap.await(6).get(5)));
    assertEquals(true, sinks.trap.await(6).get(5).body().toJsonObject().getBoolean("late"));
    Awaitility.await()
        .until(
            () ->
                sinks.get("/{sink}/dead-letters", id).jsonPath().getList("deadLetters").isEmpty());
    redriven("/{sink}/dead-letters/{room}/1/redrive", "already");
    sinks.post("/{sink}/dead-letters/{room}/9/redrive", id, room).then().statusCode(404);
  }

  @Test
  @DisplayName("PR-75: all parked lanes, first only counted")
  void all() {
    park();
    lanes(Map.of("dryRun", true), 1, true);
    lanes(Map.of("rooms", List.of("elsewhere-*")), 0, false);
    lanes(Map.of("rooms", List.of("r-*")), 1, false);
    lanes(Map.of(), 0, false);
    withoutBody("/redrive").then().statusCode(200).body("lanes", is(0));
    withoutBody("/secret").then().statusCode(200).body("secret", notNullValue());
    sinks
        .post(Map.of("rooms", List.of()), "/{sink}/redrive", id)
        .then()
        .statusCode(400)
        .body("field", is("rooms"));
  }

  private Response withoutBody(String call) {
    return sinks.admin.given().contentType(ContentType.JSON).post("/api/sinks/{sink}" + call, id);
  }

  private void lanes(Map<String, ?> choice, int count, boolean dryRun) {
    sinks
        .post(choice, "/{sink}/redrive", id)
        .then()
        .statusCode(200)
        .body("lanes", is(count))
        .body("dryRun", is(dryRun));
  }

  @Test
  @DisplayName("PR-76: events by number are those that are delivered, with gaps where they stand")
  void events() {
    park();
    sinks.post(Map.of("seq", 1), "/{sink}/lanes/{room}/skip", id, room);
    Response page = sinks.get("/{sink}/events?room={room}&limit=2", id, room);

    assertEquals(200, page.statusCode());
    assertTrue(page.contentType().startsWith("application/cloudevents-batch+json"));
    assertEquals("3", page.header("Postroom-Next-Seq"));
    JsonPath events = new JsonPath(page.asString());
    assertEquals(
        List.of("dev.postroom.room.gap.v1", "dev.postroom.message.accepted.v1"),
        events.getList("type"));
    assertEquals(1, events.getInt("[0].data.missing[0]"));
    assertEquals(2, events.getInt("[1].data.seq"));
    JsonPath rest =
        new JsonPath(sinks.get("/{sink}/events?room={room}&from=3", id, room).asString());
    assertEquals(List.of(3, 4, 5), rest.getList("data.seq"));
    sinks.post("/{sink}/resume", id);
    assertEquals(
        rest.getList("id"),
        sinks.trap.await(5).stream()
            .map(delivery -> delivery.body().toJsonObject().getString("id"))
            .toList()
            .subList(2, 5));
    assertEquals(
        "9", sinks.get("/{sink}/events?room={room}&from=9", id, room).header("Postroom-Next-Seq"));
  }

  @Test
  @DisplayName("PR-76: only rooms that the sink gets; S2: what is wrong is said by field")
  void eventsRefused() {
    String other = Api.newRoom();
    anna.send(other, "k", "x");
    sinks.get("/{sink}/events?room={room}", id, other).then().statusCode(404);
    sinks.get("/{sink}/events?room={room}", id, Api.newRoom()).then().statusCode(404);
    field("/{sink}/events", "room");
    field("/{sink}/events?room=" + room + "&from=0", "from");
    field("/{sink}/events?room=" + room + "&limit=201", "limit");
    field("/{sink}/lanes?state=gone", "state");
    field("/{sink}/lanes?after=x", "after");
    field("/{sink}/dead-letters?after=x", "after");
    sinks
        .post(Map.of(), "/{sink}/lanes/{room}/skip", id, room)
        .then()
        .statusCode(400)
        .body("field", is("seq"));
    sinks.post("/{sink}/lanes/{room}/redrive", id, other).then().statusCode(404);
  }

  private void field(String path, String field) {
    sinks.get(path, id).then().statusCode(400).body("code", is("invalid")).body("field", is(field));
  }

  private void redriven(String path, String result) {
    sinks.post(path, id, room).then().statusCode(200).body("result", is(result));
  }

  private static String type(dev.postroom.testkit.WebhookTrap.Delivery delivery) {
    return delivery.body().toJsonObject().getString("type");
  }

  private JsonPath lane() {
    JsonPath page = sinks.get("/{sink}/lanes", id).jsonPath();
    return page.getList("lanes").isEmpty()
        ? new JsonPath("{\"pending\":0}")
        : page.setRootPath("lanes[0]");
  }

  private void park() {
    db.run(
            "UPDATE lane SET state = 'parked', due_at = NULL, last_error = 'answered 422',"
                + " failing_since = now() FROM sink WHERE sink.no = sink_no AND sink.id = $1",
            Tuple.of(id))
        .await()
        .atMost(Duration.ofSeconds(20));
  }
}
