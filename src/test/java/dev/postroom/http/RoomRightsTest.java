package dev.postroom.http;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.postroom.testkit.OwnIssuer;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.TokenMint;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service with somebody else's key, where nobody may anything without a claim or membership. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
@TestProfile(OwnIssuer.class)
class RoomRightsTest {
  private final String prefix = "p" + UUID.randomUUID() + "-";
  private final String room = prefix + "1";
  private final Api owner = api("olga", Map.of(prefix + "*", "owner"));
  private final Api stranger = api("sven", Map.of());

  private static Api api(String participant, Map<String, String> rooms) {
    return new Api(OwnIssuer.mint().sign(TokenMint.claims(participant).claim("rooms", rooms)));
  }

  private Response member(Api by, String participant, String role) {
    return by.json(Map.of("role", role))
        .put("/api/rooms/{room}/members/{participant}", room, participant);
  }

  private void assertForbidden(Response answer) {
    answer
        .then()
        .statusCode(403)
        .contentType("application/problem+json")
        .body("code", is("forbidden"))
        .body("temporary", is(false));
  }

  @Test
  @DisplayName("with a key there is no development issuer")
  void noDevelopmentIssuer() {
    RestAssured.given()
        .contentType(ContentType.JSON)
        .body(Map.of("participant", "anna"))
        .post("/dev/tokens")
        .then()
        .statusCode(404)
        .contentType("application/problem+json");
  }

  @Test
  void theMetricSaysSo() {
    RestAssured.get("/q/metrics")
        .then()
        .body(org.hamcrest.Matchers.containsString("postroom_access_development_issuer 0.0"));
  }

  @Test
  @DisplayName("a room is made by PUT alone, by those who own rooms of that name")
  void create() {
    assertForbidden(stranger.put(room));
    assertForbidden(api("wim", Map.of(prefix + "*", "writer")).put(room));
    assertForbidden(owner.send(room, "k", "too early"));
    owner.put(room).then().statusCode(200).body("room", is(room)).body("head", is(0));
    owner.send(room, "k", "now").then().statusCode(201);
    // Again: unchanged.
    owner.put(room).then().statusCode(200).body("head", is(1)).body("title", nullValue());
  }

  @Test
  void titled() {
    owner.json(Map.of("title", "Case 7 🗂")).put("/api/rooms/{room}", room);
    owner
        .json(Map.of("title", "other"))
        .put("/api/rooms/{room}", room)
        .then()
        .body("title", is("Case 7 🗂"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000b", "line\nbreak", "\ud800"})
  void badTitles(String title) {
    String body = "{\"title\":\"" + escaped(title) + "\"}";
    owner
        .json(body)
        .put("/api/rooms/{room}", room)
        .then()
        .statusCode(400)
        .body("field", is("title"));
  }

  private static String escaped(String text) {
    StringBuilder json = new StringBuilder();
    text.chars().forEach(c -> json.append(String.format("\\u%04x", c)));
    return json.toString();
  }

  @Test
  @DisplayName("an admin owns every room")
  void admin() {
    Api admin = new Api(OwnIssuer.mint().sign(TokenMint.claims("root").claim("admin", true)));
    admin.put(room).then().statusCode(200);
    admin.send(room, "k", "x").then().statusCode(201);
    admin.given().delete("/api/rooms/{room}", room).then().statusCode(204);
  }

  @Test
  @DisplayName("roles: a reader reads, a writer writes, an owner manages")
  void roles() {
    owner.put(room);
    member(owner, "rita", "reader").then().statusCode(204);
    member(owner, "wim", "writer").then().statusCode(204);
    member(owner, "otto", "owner").then().statusCode(204);
    Api reader = api("rita", Map.of());
    Api writer = api("wim", Map.of());
    Api second = api("otto", Map.of());

    reader.given().get("/api/rooms/{room}", room).then().statusCode(200);
    assertForbidden(reader.send(room, "k", "x"));
    assertForbidden(member(reader, "rita", "owner"));
    writer.send(room, "k", "x").then().statusCode(201);
    assertForbidden(writer.given().delete("/api/rooms/{room}", room));
    member(second, "wim", "reader").then().statusCode(204);
    assertForbidden(writer.send(room, "k2", "x"));
    assertForbidden(stranger.given().get("/api/rooms/{room}", room));
  }

  @Test
  @DisplayName("AUTH-05, A6: rights are looked at again at each send; a repeat is no exception")
  void removed() {
    owner.put(room);
    member(owner, "wim", "writer");
    Api writer = api("wim", Map.of());
    writer.send(room, "k1", "x").then().statusCode(201);
    owner
        .given()
        .delete("/api/rooms/{room}/members/{participant}", room, "wim")
        .then()
        .statusCode(204);
    assertForbidden(writer.send(room, "k1", "x"));
    assertForbidden(writer.send(room, "k2", "x"));
    assertForbidden(writer.given().get("/api/rooms/{room}/messages", room));
    owner.given().get("/api/rooms/{room}", room).then().body("head", is(1));
  }

  @Test
  void leaving() {
    owner.put(room);
    member(owner, "rita", "reader");
    Api reader = api("rita", Map.of());
    reader.given().delete("/api/rooms/{room}/members/olga", room).then().statusCode(403);
    reader.given().delete("/api/rooms/{room}/members/rita", room).then().statusCode(204);
    assertForbidden(reader.given().get("/api/rooms/{room}", room));
  }

  @Test
  @DisplayName("the same answer for a room that does not exist and one that is closed to the asker")
  void sameAnswer() {
    owner.put(room);
    Response closed = stranger.given().get("/api/rooms/{room}", room);
    Response absent = stranger.given().get("/api/rooms/{room}", prefix + "2");
    assertForbidden(closed);
    assertEquals(closed.asString(), absent.asString().replace(prefix + "2", room));
  }

  @Test
  @DisplayName("R4: a room made again begins at 1, in another epoch, without its members")
  void closedAndMadeAgain() {
    String epoch = owner.put(room).path("epoch");
    member(owner, "wim", "writer");
    owner.send(room, "k", "x");
    owner.given().delete("/api/rooms/{room}", room).then().statusCode(204);
    assertForbidden(owner.send(room, "k", "x"));
    assertForbidden(owner.given().delete("/api/rooms/{room}", room));
    String again = owner.put(room).path("epoch");
    assertNotEquals(epoch, again);
    assertForbidden(api("wim", Map.of()).send(room, "k", "x"));
    owner.send(room, "k", "x").then().statusCode(201).body("seq", is(1));
  }

  @Test
  void members() {
    owner.put(room);
    for (String name : List.of("b", "a", "ä", "c/d", "e f")) {
      member(owner, name, "reader").then().statusCode(204);
    }
    owner
        .given()
        .get("/api/rooms/{room}/members", room)
        .then()
        .body("members.participant", contains("a", "b", "c/d", "e f", "olga", "ä"))
        .body("members.role", hasItems("reader", "owner"));
    owner
        .given()
        .get("/api/rooms/{room}/members?after={after}&limit=2", room, "c/d")
        .then()
        .body("members.participant", contains("e f", "olga"));
  }

  @Test
  void badMembers() {
    owner.put(room);
    member(owner, "x", "god").then().statusCode(400).body("field", is("role"));
    owner
        .given()
        .contentType(ContentType.JSON)
        .put("/api/rooms/{room}/members/x", room)
        .then()
        .statusCode(400)
        .body("field", is("role"));
    member(owner, "x".repeat(129), "reader")
        .then()
        .statusCode(400)
        .body("field", is("participant"));
    assertForbidden(member(owner(prefix + "9"), "x", "reader"));
  }

  private Api owner(String exactly) {
    return api("olga2", Map.of(exactly, "owner"));
  }

  @Test
  @DisplayName("list: by membership and by claim, page after page, and nothing else")
  void listed() {
    for (int i = 1; i <= 5; i++) {
      owner.put(prefix + i);
    }
    owner.put(prefix + "x");
    Api mixed = api("mia", Map.of(prefix + "3", "reader", prefix + "4*", "writer"));
    owner.json(Map.of("role", "reader")).put("/api/rooms/{room}/members/mia", prefix + "1");
    owner.json(Map.of("role", "reader")).put("/api/rooms/{room}/members/mia", prefix + "3");
    owner.given().delete("/api/rooms/{room}", prefix + "4");

    mixed.given().get("/api/rooms").then().body("rooms.room", contains(prefix + "1", prefix + "3"));
    mixed
        .given()
        .get("/api/rooms?limit=1&after={after}", prefix + "1")
        .then()
        .body("rooms.room", contains(prefix + "3"));
    stranger.given().get("/api/rooms").then().body("rooms.room", not(hasItems(prefix + "1")));
    // The owner's rooms of other tests sort before and after.
    owner
        .given()
        .get("/api/rooms?limit=2&after={after}", prefix)
        .then()
        .body("rooms.room", contains(prefix + "1", prefix + "2"));
    owner.given().get("/api/rooms?after=a b").then().statusCode(400).body("field", is("after"));
  }

  @Test
  @DisplayName("PR-66 the list has the beginning of each room's last message")
  void lastMessages() {
    owner.put(room);
    owner.put(prefix + "2");
    owner.send(room, "k1", "one");
    owner.send(room, "k2", "ü😀".repeat(100));
    owner
        .given()
        .get("/api/rooms?limit=2&after={after}", prefix)
        .then()
        .body("rooms.head", contains(2, 0))
        .body("rooms[0].last.seq", is(2))
        .body("rooms[0].last.author.id", is("olga"))
        .body("rooms[0].last.excerpt", is("ü😀".repeat(80)))
        .body("rooms[1].last", nullValue());
  }

  @Test
  void expired() {
    String token =
        OwnIssuer.mint().sign(TokenMint.claims("olga").expiresAt(Instant.now().minusSeconds(60)));
    new Api(token)
        .given()
        .get("/api/rooms")
        .then()
        .statusCode(401)
        .header("WWW-Authenticate", org.hamcrest.Matchers.containsString("expired"));
  }
}
