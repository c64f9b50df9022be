package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.db.Availability;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestPostgres;
import io.vertx.sqlclient.SqlConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S3, 25006: the server takes no writes for a while, as the old primary of a fail-over. */
class ReadOnlyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private TestPostgres postgres;
  private EmbeddedPg.Database database;
  private Accepting accepting;

  @BeforeEach
  void open() {
    postgres = TestPostgres.started();
    database = postgres.database("rooms");
    Flyway.configure()
        .dataSource(database.jdbcUrl(), EmbeddedPg.USER, EmbeddedPg.PASSWORD)
        .load()
        .migrate();
    accepting = new Accepting(database, database.connectOptions(), Map.of());
    accepting.room(rooms().toArray(String[]::new));
  }

  @AfterEach
  void close() {
    accepting.close();
    postgres.close();
  }

  @Test
  @DisplayName("S3, 25006: busy while it takes no writes; then all is stored, over new connections")
  void readOnlyAndBack() {
    Availability availability = accepting.testDb.availability();
    sendEverywhere("before").forEach(done -> assertAccepted(done.join()));
    Set<Long> old = backends();
    assertTrue(old.size() > 1, "several connections were used: " + old);

    postgres.readOnly(true);
    Outcome first = accepting.accept(submission("ann", "room0", "during", "x"));
    Outcome.Refused refused = assertInstanceOf(Outcome.Refused.class, first);
    assertEquals(ErrorCode.BUSY, refused.code(), refused.message());
    assertNotNull(refused.retryAfterMs());
    Awaitility.await().atMost(PATIENCE).until(availability::isReadOnly);
    assertFalse(availability.isPresent(), "not ready");
    assertFalse(availability.isAway(), "it answers");
    for (CompletableFuture<Outcome> during : sendEverywhere("during")) {
      assertEquals(ErrorCode.BUSY, assertInstanceOf(Outcome.Refused.class, during.join()).code());
    }

    postgres.readOnly(false);
    Awaitility.await().atMost(PATIENCE).until(availability::isPresent);
    sendEverywhere("during").forEach(done -> assertAccepted(done.join()));
    sendEverywhere("before")
        .forEach(done -> assertTrue(((Outcome.Accepted) done.join()).duplicate()));
    assertEquals(2L * rooms().size(), database.number("SELECT count(*) FROM message"));
    accepting.assertDense();

    allConnectionsAtOnce();
    Set<Long> common = new HashSet<>(backends());
    common.retainAll(old);
    assertEquals(Set.of(), common, "connections of before are used");
  }

  @Test
  @DisplayName("S3: the probe notices it while nobody writes, and that it is over")
  void noticedByTheProbe() {
    Availability availability = accepting.testDb.availability();
    availability.suspect();
    Awaitility.await().atMost(PATIENCE).until(availability::isPresent);
    Set<Long> old = backends();
    postgres.readOnly(true);
    Awaitility.await().atMost(PATIENCE).until(availability::isReadOnly);
    postgres.readOnly(false);
    Awaitility.await().atMost(PATIENCE).until(availability::isPresent);
    allConnectionsAtOnce();
    assertTrue(backends().stream().noneMatch(old::contains), "connections of before are used");
  }

  private List<CompletableFuture<Outcome>> sendEverywhere(String key) {
    return rooms().stream()
        .map(room -> accepting.submit(submission("ann", room, key, "x")))
        .toList();
  }

  private static void assertAccepted(Outcome outcome) {
    assertFalse(assertInstanceOf(Outcome.Accepted.class, outcome).duplicate());
  }

  private static List<String> rooms() {
    return IntStream.range(0, 16).mapToObj(n -> "room" + n).toList();
  }

  /** Takes all that the pool has, and gives it back. */
  private void allConnectionsAtOnce() {
    List<SqlConnection> taken = new ArrayList<>();
    // One is kept by the probe.
    for (int i = 0; i < 15; i++) {
      taken.add(Accepting.await(accepting.testDb.db().session()));
    }
    taken.forEach(SqlConnection::close);
  }

  private Set<Long> backends() {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'postroom'")) {
      List<Long> pids = new ArrayList<>();
      while (rows.next()) {
        pids.add(rows.getLong(1));
      }
      return pids.stream().collect(toSet());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
