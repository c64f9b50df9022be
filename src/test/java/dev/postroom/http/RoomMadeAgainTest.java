package dev.postroom.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.OwnIssuer;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.TokenMint;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * R4: a room is closed and made again while a call about it is under way, after its checks and
 * before its change. The call was about the old room, and leaves the new one alone.
 *
 * <p>A lock on the table that is to be changed holds the change back: it lets reads pass.
 */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
@TestProfile(OwnIssuer.class)
class RoomMadeAgainTest {
  private static final String PATH = "/api/rooms/{room}";
  private static final String MEMBER = PATH + "/members/{participant}";

  @ConfigProperty(name = "quarkus.datasource.jdbc.url")
  String jdbcUrl;

  private final String room = "again-" + UUID.randomUUID();
  private final Api carol = api(Map.of());
  private EmbeddedPg.Database database;

  private static Api api(Map<String, String> rooms) {
    return new Api(OwnIssuer.mint().sign(TokenMint.claims("carol").claim("rooms", rooms)));
  }

  @BeforeEach
  void makeTheFirst() {
    database =
        new EmbeddedPg.Database(EmbeddedPg.port(), jdbcUrl.substring(jdbcUrl.lastIndexOf('/') + 1));
    database.execute("INSERT INTO room (id, nonce) VALUES ('" + room + "', 1)");
    database.execute(member("carol", "owner"));
  }

  @Test
  @DisplayName("R4: closing closes the room whose owner was asked for")
  void close() throws Exception {
    Response answer = overtaken("room", () -> carol.given().delete(PATH, room));
    assertEquals(1, database.number("SELECT count(*) FROM room WHERE " + isOpen()));
    assertEquals(403, answer.statusCode());
  }

  @Test
  @DisplayName("R4: a member is added to the room whose owner was asked for")
  void addMember() throws Exception {
    Response answer =
        overtaken(
            "member", () -> carol.json(Map.of("role", "reader")).put(MEMBER, room, "mallory"));
    assertEquals(0, members("mallory"));
    assertEquals(403, answer.statusCode());
  }

  @Test
  @DisplayName("R4: a member is removed from the room whose owner was asked for")
  void removeMember() throws Exception {
    database.execute(member("ben", "reader"));
    Response answer = overtaken("member", () -> carol.given().delete(MEMBER, room, "ben"));
    assertEquals(1, members("ben"));
    assertEquals(204, answer.statusCode());
  }

  @Test
  @DisplayName("R4: a founder owns the room that was found or made, not the next")
  void found() throws Exception {
    database.execute("DELETE FROM member WHERE participant = 'carol'");
    overtaken("member", () -> api(Map.of("again-*", "owner")).put(room));
    assertEquals(0, members("carol"));
  }

  /** The call, held back at its change of {@code table} until there is another room. */
  private Response overtaken(String table, Supplier<Response> call) throws Exception {
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE " + table + " IN SHARE ROW EXCLUSIVE MODE");
      CompletableFuture<Response> answer = CompletableFuture.supplyAsync(call);
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(10))
          .until(() -> isHeldBack(table));
      makeAgain(statement);
      other.commit();
      return answer.get(30, TimeUnit.SECONDS);
    }
  }

  private boolean isHeldBack(String table) {
    return database.number(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '"
                + table
                + "'::regclass")
        > 0;
  }

  private void makeAgain(Statement statement) throws SQLException {
    statement.execute("UPDATE room SET closed_at = now() WHERE " + isOpen());
    statement.execute("INSERT INTO room (id, nonce) VALUES ('" + room + "', 2)");
    statement.execute(member("ben", "reader"));
  }

  private String member(String participant, String role) {
    return "INSERT INTO member (room_no, participant, role) SELECT no, '%s', '%s' FROM room WHERE %s"
        .formatted(participant, role, isOpen());
  }

  private long members(String participant) {
    return database.number(
        "SELECT count(*) FROM member JOIN room ON no = room_no WHERE participant = '%s' AND %s"
            .formatted(participant, isOpen()));
  }

  private String isOpen() {
    return "id = '" + room + "' AND closed_at IS NULL";
  }
}
