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
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rooms that are closed and made all the time, by people who may. */
@QuarkusTest
@TestProfile(FullSpeed.class)
@QuarkusTestResource(PgResource.class)
class ClosedAndMadeTest {
  private static final int ROUNDS = 300;

  @TestHTTPResource("/ws")
  URI uri;

  @ConfigProperty(name = "quarkus.datasource.jdbc.url")
  String jdbcUrl;

  private final String room = "case-" + UUID.randomUUID();
  private final String path = "/api/rooms/" + room;

  @Test
  @DisplayName("S2: who may make the room gets in or is told to try again, never that it may not")
  void joining() throws Exception {
    String owner = DevTokens.of("olga", Map.of("case-*", "owner"));
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> others = CompletableFuture.runAsync(() -> closeAndMake(owner, over));
    try (RoomClient client = RoomClient.connect(uri, owner)) {
      client.await("welcome");
      for (int round = 0; round < ROUNDS; round++) {
        client.join(room);
        JsonNode answer = answer(client);
        boolean busy = answer.path("code").asText().equals("busy");
        assertTrue(busy || answer.has("messages"), answer.toString());
      }
    } finally {
      over.set(true);
    }
    others.get();
  }

  @Test
  @DisplayName("S2: a room that is closed whenever it is made is entered in the end, or busy")
  void closedWhileMade() {
    EmbeddedPg.Database database =
        new EmbeddedPg.Database(EmbeddedPg.port(), jdbcUrl.substring(jdbcUrl.lastIndexOf('/') + 1));
    database.execute("CREATE SEQUENCE closings");
    database.execute(
        """
        CREATE FUNCTION close_at_once() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF NEW.id = 'always-closed' OR NEW.id = 'twice-closed' AND nextval('closings') <= 2 THEN
            NEW.closed_at = now();
          END IF;
          RETURN NEW;
        END $$
        """);
    database.execute(
        "CREATE TRIGGER close_at_once BEFORE INSERT ON room"
            + " FOR EACH ROW EXECUTE FUNCTION close_at_once()");
    try (RoomClient client = RoomClient.joined(uri, DevTokens.of("olga"), "twice-closed")) {
      client.join("always-closed");
      JsonNode busy = client.await("error");
      assertEquals("busy", busy.path("code").asText(), busy.toString());
      assertTrue(busy.path("temporary").asBoolean());
    }
  }

  private static JsonNode answer(RoomClient client) {
    JsonNode frame = client.next();
    while (frame.path("type").asText().equals("left")) {
      frame = client.next();
    }
    return frame;
  }

  private void closeAndMake(String owner, AtomicBoolean over) {
    while (!over.get()) {
      int made = as(owner).contentType("application/json").put(path).statusCode();
      assertTrue(made == 200 || made == 503, "PUT " + made);
      // 403: there is none just now.
      int closed = as(owner).delete(path).statusCode();
      assertTrue(closed == 204 || closed == 403, "DELETE " + closed);
    }
  }

  private static RequestSpecification as(String token) {
    return RestAssured.given().header("Authorization", "Bearer " + token);
  }
}
