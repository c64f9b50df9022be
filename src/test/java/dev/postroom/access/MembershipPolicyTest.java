package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rights from the three places, over a real membership table. */
class MembershipPolicyTest {
  private static final RoomId ROOM = new RoomId("case-7");
  private static EmbeddedPg.Database database;
  private static TestDb db;

  @BeforeAll
  static void start() {
    database = EmbeddedPg.freshDatabase();
    db = TestDb.over(database);
    database.execute("INSERT INTO room (id, nonce) VALUES ('case-7', 1), ('case-8', 2)");
    database.execute("INSERT INTO room (id, nonce, closed_at) VALUES ('closed', 3, now())");
    database.execute(
        "INSERT INTO member (room_no, participant, role) SELECT no, 'mia', 'writer' FROM room"
            + " WHERE id IN ('case-7', 'closed')");
  }

  @AfterAll
  static void stop() {
    db.close();
  }

  private static MembershipPolicy closed() {
    return new MembershipPolicy(new Members(db.db()), false, false);
  }

  /** Has no database: an answer shows that none was asked. */
  private static MembershipPolicy without(boolean openToAll, boolean createOnUse) {
    return new MembershipPolicy(new Members(null), openToAll, createOnUse);
  }

  private static Principal with(Map<String, Role> rooms) {
    return new Principal("anna", "Anna", rooms, false, null);
  }

  private static Principal admin() {
    return new Principal("root", "Root", Map.of(), true, null);
  }

  private static Principal member(String participant) {
    return new Principal(participant, participant, Map.of(), false, null);
  }

  private static <T> T await(Uni<T> answer) {
    return answer.await().atMost(Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @DisplayName("claims answer without a look at the database")
  @CsvSource({
    "READER, READER, ALLOWED",
    "WRITER, READER, ALLOWED",
    "WRITER, WRITER, ALLOWED",
    "OWNER, OWNER, ALLOWED",
  })
  void claims(Role held, Role needed, Decision decision) {
    Principal anna = with(Map.of("case-*", held, "x*", Role.OWNER, "case-7", Role.READER));
    assertEquals(decision, await(without(false, false).decide(anna, ROOM, needed)));
  }

  @Test
  void adminOwnsEveryRoom() {
    assertEquals(Decision.ALLOWED, await(without(false, false).decide(admin(), ROOM, Role.OWNER)));
  }

  @ParameterizedTest
  @DisplayName("at first use a room is made for writers, never for readers")
  @CsvSource({
    "READER, READER, ALLOWED",
    "WRITER, READER, ALLOWED_AND_MAY_CREATE",
    "WRITER, WRITER, ALLOWED_AND_MAY_CREATE",
    "OWNER, WRITER, ALLOWED_AND_MAY_CREATE",
  })
  void createOnUse(Role held, Role needed, Decision decision) {
    Principal anna = with(Map.of("*", held));
    assertEquals(decision, await(without(false, true).decide(anna, ROOM, needed)));
  }

  @ParameterizedTest
  @DisplayName("open to all: everybody writes everywhere, also with a lesser claim")
  @CsvSource({"READER", "WRITER"})
  void openToAll(Role needed) {
    assertEquals(
        Decision.ALLOWED_AND_MAY_CREATE,
        await(without(true, true).decide(member("anybody"), ROOM, needed)));
    assertEquals(
        Decision.ALLOWED_AND_MAY_CREATE,
        await(without(true, true).decide(with(Map.of("*", Role.READER)), ROOM, needed)));
  }

  @ParameterizedTest
  @CsvSource({
    "mia, case-7, WRITER, ALLOWED",
    "mia, case-7, READER, ALLOWED",
    "mia, case-7, OWNER, FORBIDDEN",
    "mia, case-8, READER, FORBIDDEN",
    "mia, closed, READER, FORBIDDEN",
    "mia, nowhere, READER, FORBIDDEN",
    "Mia, case-7, READER, FORBIDDEN",
    "ben, case-7, READER, FORBIDDEN",
  })
  void membership(String participant, String room, Role needed, Decision decision) {
    assertEquals(decision, await(closed().decide(member(participant), new RoomId(room), needed)));
  }

  @Test
  @DisplayName("a lesser claim does not hide a greater membership")
  void theGreaterCounts() {
    Principal mia = new Principal("mia", "Mia", Map.of("*", Role.READER), false, null);
    assertEquals(Decision.ALLOWED, await(closed().decide(mia, ROOM, Role.WRITER)));
  }

  @Test
  void whoMayMakeARoom() {
    assertEquals(true, without(false, false).mayCreate(admin(), ROOM));
    assertEquals(true, without(true, false).mayCreate(member("anybody"), ROOM));
    assertEquals(true, without(false, false).mayCreate(with(Map.of("case-*", Role.OWNER)), ROOM));
    assertEquals(false, without(false, true).mayCreate(with(Map.of("*", Role.WRITER)), ROOM));
    assertEquals(false, without(false, true).mayCreate(member("mia"), ROOM));
  }

  @Test
  @DisplayName("the founder becomes owner where there is none, and only there")
  void founding() {
    Members members = new Members(db.db());
    database.execute("INSERT INTO room (id, nonce) VALUES ('founded', 9)");
    Room room = await(new Rooms(db.db()).find(new RoomId("founded")));
    assertEquals(true, await(members.put(room, "ann", Role.READER)));
    assertEquals(true, await(members.found(room, "ann")));
    assertEquals(false, await(members.found(room, "ben")));
    assertEquals(List.of(new Members.Member("ann", Role.OWNER)), await(members.list(room, "", 10)));
  }

  @Test
  @DisplayName("R4: the right in a room that was closed is none in the next of its name")
  void madeAgain() {
    Rooms rooms = new Rooms(db.db());
    Members members = new Members(db.db());
    Room first = await(rooms.create(new RoomId("again"), null));
    assertEquals(true, await(members.put(first, "ann", Role.OWNER)));
    database.execute("UPDATE room SET closed_at = now() WHERE id = 'again'");
    Room second = await(rooms.create(new RoomId("again"), null));
    assertEquals(true, await(members.put(second, "ben", Role.OWNER)));

    assertEquals(Decision.ALLOWED, await(closed().decide(member("ben"), second, Role.OWNER)));
    assertEquals(Decision.FORBIDDEN, await(closed().decide(member("ann"), second, Role.READER)));
    assertEquals(Decision.FORBIDDEN, await(closed().decide(member("ben"), first, Role.READER)));
    assertEquals(false, await(members.put(first, "cat", Role.READER)));
    assertEquals(false, await(members.found(first, "cat")));
  }

  @Test
  @DisplayName("S1: the rights of 1,000 members, asked for at once, cost a handful of queries")
  void amongMany() {
    EmbeddedPg.Database own = EmbeddedPg.freshDatabase();
    own.execute("INSERT INTO room (id, nonce) VALUES ('case-7', 1)");
    own.execute(
        "INSERT INTO member (room_no, participant, role)"
            + " SELECT no, 'p' || i, 'reader' FROM room, generate_series(0, 998, 2) AS i");
    long before = transactions(own);
    try (TestDb ownDb = TestDb.over(own)) {
      MembershipPolicy policy = new MembershipPolicy(new Members(ownDb.db()), false, false);
      List<CompletableFuture<Decision>> asked =
          IntStream.range(0, 1_000)
              .mapToObj(i -> policy.decideAmongMany(member("p" + i), ROOM, Role.READER))
              .map(Uni::subscribeAsCompletionStage)
              .toList();
      for (int i = 0; i < 1_000; i++) {
        Decision expected = i % 2 == 0 ? Decision.ALLOWED : Decision.FORBIDDEN;
        assertEquals(expected, asked.get(i).orTimeout(20, TimeUnit.SECONDS).join(), "p" + i);
      }
    }
    long cost = transactions(own) - before;
    assertTrue(cost < 50, "transactions: " + cost);
  }

  /** Sessions count what they did at their end at the latest. */
  private static long transactions(EmbeddedPg.Database in) {
    String here = " WHERE datname = '" + in.name() + "'";
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server().number("SELECT count(*) FROM pg_stat_activity" + here) == 0);
    return server().number("SELECT xact_commit FROM pg_stat_database" + here);
  }

  private static EmbeddedPg.Database server() {
    return new EmbeddedPg.Database(EmbeddedPg.port(), "postgres");
  }
}
