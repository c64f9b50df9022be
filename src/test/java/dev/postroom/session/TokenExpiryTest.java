package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.OwnIssuer;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.RoomClient;
import dev.postroom.testkit.TokenMint;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** AUTH-04, PR-25: tokens that end while a socket is open, with clocks that may differ by 30 s. */
@QuarkusTest
@TestProfile(OwnIssuer.class)
@QuarkusTestResource(PgResource.class)
class TokenExpiryTest {
  private static final Duration LEEWAY = Duration.ofSeconds(30);

  @TestHTTPResource("/ws")
  URI uri;

  private final String room = "case-" + UUID.randomUUID();

  @Test
  @DisplayName("AUTH-04: what HTTP takes within the leeway, a socket takes too")
  void withinTheLeeway() {
    String late = token("ann", Instant.now().minusSeconds(10));
    makeRoom(late);
    try (RoomClient ann = RoomClient.joined(uri, late, room)) {
      assertEquals("ack", ann.sendAndAwait(room, "k1", "hello").path("type").asText());
    }
  }

  @Test
  @DisplayName("PR-25, AUTH-04: at its end an open socket is told and closed; one renewed stays")
  void endsOnAnOpenSocket() {
    makeRoom(token("ann", Instant.now().plusSeconds(600)));
    // Long enough to come in on a slow machine, short enough to see its end.
    String brief = token("ann", Instant.now().plusSeconds(8).minus(LEEWAY));
    try (RoomClient ends = RoomClient.connect(uri, brief);
        RoomClient stays = RoomClient.connect(uri, brief)) {
      ends.await("welcome");
      stays.await("welcome");
      stays.text(
          RoomClient.frame("auth", null)
              .put("token", token("ann", Instant.now().plusSeconds(600)))
              .toString());
      stays.await("welcome");
      stays.join(room);
      stays.await("snapshot");

      assertEquals("unauthorized", ends.await("error").path("code").asText());
      assertEquals(4401, ends.awaitClose());
      assertEquals("ack", stays.sendAndAwait(room, "k1", "still here").path("type").asText());
    }
  }

  private void makeRoom(String token) {
    RestAssured.given()
        .header("Authorization", "Bearer " + token)
        .put("/api/rooms/" + room)
        .then()
        .statusCode(200);
  }

  private static String token(String participant, Instant end) {
    return OwnIssuer.mint()
        .sign(TokenMint.claims(participant).claim("rooms", Map.of("*", "owner")).expiresAt(end));
  }
}
