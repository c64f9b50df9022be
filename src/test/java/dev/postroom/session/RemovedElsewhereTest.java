package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Another node, played by the database alone, takes a member out; its word of it is lost. */
@QuarkusTest
@TestProfile(SocketRightsTest.Closed.class)
@QuarkusTestResource(PgResource.class)
class RemovedElsewhereTest {

  @TestHTTPResource("/ws")
  URI uri;

  @ConfigProperty(name = "quarkus.datasource.jdbc.url")
  String jdbcUrl;

  private final String room = "case-" + UUID.randomUUID();
  private EmbeddedPg.Database database;

  @BeforeEach
  void makeRoom() {
    database =
        new EmbeddedPg.Database(EmbeddedPg.port(), jdbcUrl.substring(jdbcUrl.lastIndexOf('/') + 1));
    String owner = DevTokens.of("olga", Map.of("case-*", "owner"));
    put(owner, "", Map.of());
    put(owner, "/members/bob", Map.of("role", "writer"));
    put(owner, "/members/cleo", Map.of("role", "reader"));
  }

  private void put(String token, String where, Map<String, String> body) {
    RestAssured.given()
        .contentType(ContentType.JSON)
        .header("Authorization", "Bearer " + token)
        .body(body)
        .put("/api/rooms/" + room + where)
        .then()
        .statusCode(where.isEmpty() ? 200 : 204);
  }

  @Test
  @DisplayName("AUTH-05, PR-47: a message accepted elsewhere after the removal does not come")
  void messageOfAfterwards() {
    try (RoomClient cleo = RoomClient.joined(uri, DevTokens.of("cleo"), room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      remove("bob");
      accept(1);
      database.execute("SELECT pg_notify('postroom_rooms', 'elsewhere;m " + room + " 1')");

      JsonNode first = bob.next();
      assertEquals("left", first.path("type").asText(), first.toString());
      assertEquals("removed", first.path("reason").asText());
      List<JsonNode> messages = cleo.upTo("delta").get(0).findValues("seq");
      assertEquals(1, messages.get(0).asLong());

      accept(2);
      database.execute("SELECT pg_notify('postroom_rooms', 'elsewhere;m " + room + " 2')");
      assertEquals(2, cleo.await("message").path("seq").asLong(), "live again");
      bob.text("{\"type\":\"ping\"}");
      assertEquals("pong", bob.next().path("type").asText());
    }
  }

  @Test
  @DisplayName("AUTH-05, R5: where nothing is said at all the sweep finds the removal")
  void lostHint() {
    try (RoomClient cleo = RoomClient.joined(uri, DevTokens.of("cleo"), room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      remove("bob");
      assertEquals("removed", bob.await("left").path("reason").asText());
      cleo.text("{\"type\":\"ping\"}");
      assertEquals(
          "pong", cleo.next().path("type").asText(), "whoever may stay hears nothing of it");
    }
  }

  private void remove(String participant) {
    database.execute(
        """
        WITH gone AS (DELETE FROM member WHERE participant = '%s' RETURNING room_no)
        UPDATE room SET rights = rights + 1 FROM gone WHERE room.no = gone.room_no AND id = '%s'
        """
            .formatted(participant, room));
  }

  private void accept(long seq) {
    database.execute(
        """
        WITH bumped AS (UPDATE room SET head = %2$d WHERE id = '%1$s' RETURNING no)
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT bumped.no, %2$d, gen_random_uuid(), 'olga', 'k%2$d', 'Olga', max(lineage.no), 1, '',
               'hello', now()
        FROM bumped, lineage GROUP BY bumped.no
        """
            .formatted(room, seq));
  }
}
