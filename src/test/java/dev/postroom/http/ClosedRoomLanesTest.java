package dev.postroom.http;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.postroom.db.Db;
import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
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

/**
 * R4, H1: what a closed room has still to hand over, or a sink would not take of it, is found,
 * taken up and skipped, and never mistaken for the same number of the room made again under its
 * name.
 */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class ClosedRoomLanesTest {
  private static final String LANE = "/{sink}/lanes/{room}";
  private static final String LETTER = "/{sink}/dead-letters/{room}/1";

  private final String room = Api.newRoom();
  private Api anna;
  private AdminApi sinks;
  private String id;
  private String old;

  @Inject Db db;

  /** Number 1 is a dead letter; 2 and 3 wait in a parked lane. */
  @BeforeEach
  void aRoomThatWasClosedWithItsLaneParked() {
    anna = Api.as("anna");
    sinks = new AdminApi();
    id = sinks.make(room);
    sinks.post("/{sink}/pause", id);
    old = filled("old");
    park();
    ok(sinks.post(Map.of("seq", 1), LANE + "/skip", id, room), "done");
    park();
    anna.given().delete("/api/rooms/{room}", room).then().statusCode(204);
  }

  @AfterEach
  void close() {
    sinks.close();
  }

  /** Three messages, which have reached their lane; the epoch. */
  private String filled(String text) {
    anna.put(room);
    for (int n = 1; n <= 3; n++) {
      anna.send(room, "k" + n, text + " " + n).then().statusCode(201);
    }
    String epoch = anna.given().get("/api/rooms/{room}", room).path("epoch");
    Awaitility.await()
        .until(() -> lanes().getList("lanes.epoch").contains(epoch) && pending(epoch) == 3);
    return epoch;
  }

  /** The room of that name anew, with its number 1 left out as well. */
  private String madeAgain() {
    String epoch = filled("new");
    park();
    ok(sinks.post(Map.of("seq", 1), LANE + "/skip?epoch={epoch}", id, room, epoch), "done");
    park();
    return epoch;
  }

  private void park() {
    db.run(
            "UPDATE lane SET state = 'parked', due_at = NULL, last_error = 'answered 422',"
                + " failing_since = now() FROM sink WHERE sink.no = sink_no AND sink.id = $1",
            Tuple.of(id))
        .await()
        .atMost(Duration.ofSeconds(20));
  }

  private JsonPath lanes() {
    return sinks.get("/{sink}/lanes", id).jsonPath();
  }

  private int pending(String epoch) {
    return lanes().getInt("lanes.find { it.epoch == '" + epoch + "' }.pending");
  }

  private String state(String epoch) {
    return lanes().getString("lanes.find { it.epoch == '" + epoch + "' }.state");
  }

  private static void ok(Response answer, String result) {
    answer.then().statusCode(200).body("result", is(result));
  }

  private static void ambiguous(Response answer) {
    answer.then().statusCode(400).body("code", is("invalid")).body("field", is("epoch"));
  }

  @Test
  @DisplayName("H1: of a closed room alone no epoch has to be said")
  void closedOnly() {
    sinks
        .get("/{sink}/dead-letters", id)
        .then()
        .body("deadLetters.epoch", contains(old))
        .body("deadLetters.closed", contains(true));
    ok(sinks.post(LETTER + "/redrive", id, room), "done");
    ok(sinks.post(LANE + "/redrive", id, room), "already");
    sinks.post("/{sink}/resume", id);
    assertEquals(List.of("old 1", "old 2", "old 3"), delivered(3));
  }

  @Test
  @DisplayName("R4: a dead letter of the old epoch is not the new one's of the same number")
  void letters() {
    String fresh = madeAgain();
    assertNotEquals(old, fresh);
    sinks
        .get("/{sink}/dead-letters", id)
        .then()
        .body("deadLetters.seq", contains(1, 1))
        .body("deadLetters.epoch", contains(old, fresh))
        .body("deadLetters.closed", contains(true, false));

    ambiguous(sinks.post(LETTER + "/redrive", id, room));
    ok(sinks.post(LETTER + "/redrive?epoch={epoch}", id, room, old), "done");
    ok(sinks.post(LETTER + "/redrive?epoch={epoch}", id, room, old), "already");
    sinks.post(LETTER + "/redrive?epoch={epoch}", id, room, "gone").then().statusCode(404);

    sinks
        .get("/{sink}/dead-letters", id)
        .then()
        .body("deadLetters.redriving", contains(true, false));
  }

  @Test
  @DisplayName("R4: a lane of the old epoch goes on without the new one's, and the other way round")
  void lanesApart() {
    String fresh = madeAgain();
    ambiguous(sinks.post(LANE + "/redrive", id, room));
    ambiguous(sinks.post(Map.of("seq", 2), LANE + "/skip", id, room));
    assertEquals("parked", state(old));
    assertEquals("parked", state(fresh));

    ok(sinks.post(LANE + "/redrive?epoch={epoch}", id, room, old), "done");
    assertEquals("parked", state(fresh));
    sinks.post("/{sink}/resume", id);

    assertEquals(List.of("old 2", "old 3"), delivered(3).subList(1, 3));
    assertEquals(3, pending(fresh));
  }

  @Test
  @DisplayName("PR-76: a receiver that misses a number of the old epoch gets that one")
  void events() {
    String fresh = madeAgain();
    assertEquals(List.of("old 2", "old 3"), texts("&epoch=" + old));
    assertEquals(List.of("new 2", "new 3"), texts("&epoch=" + fresh));
    assertEquals(List.of("new 2", "new 3"), texts(""));
    sinks.get("/{sink}/events?room={room}&epoch=gone", id, room).then().statusCode(404);
    sinks
        .get("/{sink}/lanes", id)
        .then()
        .body("lanes", hasSize(2))
        .body("lanes.nextSeq", contains(1, 1));
  }

  private List<String> texts(String more) {
    Response page = sinks.get("/{sink}/events?room={room}&from=2" + more, id, room);
    assertEquals(200, page.statusCode(), page.asString());
    return new JsonPath(page.asString()).getList("data.text");
  }

  private List<String> delivered(int count) {
    return sinks.trap.await(count).stream()
        .map(delivery -> delivery.body().toJsonObject().getJsonObject("data", new JsonObject()))
        .map(data -> data.getString("text"))
        .toList();
  }
}
