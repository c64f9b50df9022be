package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.postroom.testkit.DevTokens;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.FullSpeed;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may join and send, over a socket, where rooms are not open to all. */
@QuarkusTest
@TestProfile(SocketRightsTest.Closed.class)
@QuarkusTestResource(PgResource.class)
class SocketRightsTest {

  /** As in production: a right is claimed or given. */
  public static final class Closed extends FullSpeed {
    @Override
    public Map<String, String> getConfigOverrides() {
      Map<String, String> settings = new HashMap<>(super.getConfigOverrides());
      settings.put("postroom.rooms.open-to-all", "false");
      settings.put("postroom.rooms.create-on-use", "false");
      return settings;
    }
  }

  @TestHTTPResource("/ws")
  URI uri;

  @ConfigProperty(name = "quarkus.datasource.jdbc.url")
  String jdbcUrl;

  private final String room = "case-" + UUID.randomUUID();
  private String owner;
  private String cid;

  @BeforeEach
  void makeRooms() {
    owner = DevTokens.of("olga", Map.of("case-*", "owner"));
    cid = DevTokens.of("cid", Map.of("mine-*", "writer"));
    as(owner).put("/api/rooms/" + room).then().statusCode(200);
    as(DevTokens.of("olga", Map.of("mine-*", "owner"))).put("/api/rooms/mine-1");
  }

  @ParameterizedTest
  @DisplayName("A6: valid → right → joined; each names what is wrong")
  @CsvSource({
    "mine-1, '', hello, invalid, clientMessageId",
    "'no room!', k1, hello, invalid, room",
    "mine-1, k1, '', invalid, text",
    "theirs-1, k1, hello, forbidden,",
    "theirs-1, '', hello, invalid, clientMessageId",
    "mine-1, k1, hello, not_joined,"
  })
  void orderOfChecks(String where, String id, String text, String code, String field) {
    try (RoomClient client = RoomClient.connect(uri, cid)) {
      client.await("welcome");
      client.send(where, id, text);
      JsonNode error = client.await("error");
      assertEquals(code, error.path("code").asText(), error.toString());
      assertEquals(field == null ? "" : field, error.path("field").asText());
    }
  }

  @Test
  @DisplayName("R5: without the right no join, and no word on whether the room exists")
  void forbiddenJoin() {
    try (RoomClient client = RoomClient.connect(uri, cid)) {
      client.await("welcome");
      client.join(room);
      JsonNode there = client.await("error");
      client.join("case-does-not-exist");
      JsonNode notThere = client.await("error");
      assertEquals("forbidden", there.path("code").asText());
      assertEquals(there.path("message"), notThere.path("message"));
      assertEquals(there.path("code"), notThere.path("code"));
    }
  }

  @Test
  @DisplayName("A reader reads and does not write")
  void readerDoesNotWrite() {
    give("rita", "reader");
    try (RoomClient rita = RoomClient.joined(uri, DevTokens.of("rita"), room)) {
      assertEquals("forbidden", rita.sendAndAwait(room, "k1", "hello").path("code").asText());
    }
  }

  @Test
  @DisplayName("AUTH-05, A6: a removed member gets nothing more, cannot send, repeat, or come back")
  void removedMember() {
    give("bob", "writer");
    try (RoomClient olga = RoomClient.joined(uri, owner, room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      assertEquals("ack", bob.sendAndAwait(room, "k1", "hello").path("type").asText());

      as(owner).delete("/api/rooms/" + room + "/members/bob").then().statusCode(204);
      assertEquals("removed", bob.await("left").path("reason").asText());
      olga.sendAndAwait(room, "o1", "bob is gone");

      assertEquals("forbidden", bob.sendAndAwait(room, "k2", "again").path("code").asText());
      assertEquals("forbidden", bob.sendAndAwait(room, "k1", "hello").path("code").asText());
      JsonNode other = bob.sendAndAwait(room, "k1", "other text");
      assertEquals("forbidden", other.path("code").asText(), "not id_conflict: " + other);
      assertTrue(other.path("messageId").isMissingNode(), "what is there is not told");
      bob.join(room);
      assertEquals("forbidden", bob.await("error").path("code").asText());
    }
  }

  @Test
  @DisplayName(
      "A6: a repeat on a socket that has not joined is not_joined, whatever is known of it")
  void repeatWithoutJoin() {
    try (RoomClient olga = RoomClient.joined(uri, owner, room);
        RoomClient other = RoomClient.connect(uri, owner)) {
      olga.sendAndAwait(room, "k1", "hello");
      other.await("welcome");
      for (String text : List.of("hello", "other text")) {
        JsonNode error = other.sendAndAwait(room, "k1", text);
        assertEquals("not_joined", error.path("code").asText());
        assertTrue(error.path("messageId").isMissingNode());
      }
      other.join(room);
      other.await("snapshot");
      assertTrue(other.sendAndAwait(room, "k1", "hello").path("duplicate").asBoolean());
    }
  }

  @Test
  @DisplayName("R5, PR-67: a removed member leaves, and comes back with what its token allows")
  void removedMemberWithClaim() {
    give("dora", "writer");
    String claim = DevTokens.of("dora", Map.of("case-*", "reader"));
    try (RoomClient dora = RoomClient.joined(uri, claim, room)) {
      as(owner).delete("/api/rooms/" + room + "/members/dora").then().statusCode(204);
      assertEquals("removed", dora.await("left").path("reason").asText());
      dora.join(room);
      assertEquals(room, dora.await("snapshot").path("room").asText());
      assertEquals("forbidden", dora.sendAndAwait(room, "k1", "hello").path("code").asText());
    }
  }

  @Test
  @DisplayName("R5: after lost hints everybody in a room is looked up again")
  void lostHints() {
    give("bob", "writer");
    give("cleo", "reader");
    try (RoomClient cleo = RoomClient.joined(uri, DevTokens.of("cleo"), room);
        RoomClient bob = RoomClient.joined(uri, DevTokens.of("bob"), room)) {
      EmbeddedPg.Database database =
          new EmbeddedPg.Database(
              EmbeddedPg.port(), jdbcUrl.substring(jdbcUrl.lastIndexOf('/') + 1));
      // As another node would whose word of it was lost.
      database.execute("DELETE FROM member WHERE participant = 'bob'");
      database.execute("UPDATE room SET rights = rights + 1 WHERE id = '" + room + "'");
      database.execute("SELECT pg_notify('postroom_rooms', 'elsewhere;*')");
      assertEquals("removed", bob.await("left").path("reason").asText());
      as(owner)
          .header("Idempotency-Key", "k")
          .body(Map.of("text", "still here?"))
          .post("/api/rooms/" + room + "/messages");
      assertEquals("message", cleo.next().path("type").asText());
    }
  }

  private void give(String participant, String role) {
    as(owner)
        .body(Map.of("role", role))
        .put("/api/rooms/" + room + "/members/" + participant)
        .then()
        .statusCode(204);
  }

  private static RequestSpecification as(String token) {
    return RestAssured.given()
        .contentType(ContentType.JSON)
        .header("Authorization", "Bearer " + token);
  }
}
