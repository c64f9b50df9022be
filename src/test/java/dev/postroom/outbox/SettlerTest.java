package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Settlement.Then;
import dev.postroom.testkit.EmbeddedPg;
import io.vertx.core.Future;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written about lanes, and by whom it may be. Nobody publishes here. */
class SettlerTest {
  private static final Duration LEASE = Duration.ofSeconds(15);

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private Relaying node;
  private int sink;

  @BeforeEach
  void start() {
    node = new Relaying(database, new Receivers(), Map.of());
    Relaying.room(database, "a");
    sink = node.sink("all", SinkRow.Poison.BLOCK, false, "*");
    Relaying.accept(database, "a", 5);
    Relaying.await(node.outbox.ring(0));
  }

  @AfterEach
  void stop() {
    node.testDb.close();
  }

  private Claim claim() {
    List<Claim> claims = Relaying.await(node.lanes.claim(sink, 1e10, 10, LEASE));
    assertEquals(1, claims.size());
    return claims.get(0);
  }

  private void expire() {
    database.execute("UPDATE lane SET due_at = now() - interval '1 s' WHERE state = 'leased'");
  }

  private boolean settle(Claim claim, long from, long to, Then then) {
    return Relaying.await(later(claim, from, to, then));
  }

  private Future<Boolean> later(Claim claim, long from, long to, Then then) {
    return node.settler.settle(
        new Settlement(claim.key(), claim.token(), claim.lineage(), from, to, List.of(), then));
  }

  private long next() {
    return database.number("SELECT next_seq FROM lane");
  }

  private void assertState(String state) {
    assertEquals(1, database.number("SELECT count(*) FROM lane WHERE state = '" + state + "'"));
  }

  @Test
  @DisplayName("H4: a leased lane is nobody else's until its lease runs out")
  void leased() {
    Claim mine = claim();
    assertEquals(1, mine.next());
    assertEquals(5, mine.known());
    assertEquals(5, mine.heads().size());
    assertEquals(List.of(), Relaying.await(node.lanes.claim(sink, 1e10, 10, LEASE)));
    expire();
    assertTrue(claim().takenOver());
  }

  @Test
  @DisplayName("D3: a node that lost its lease can neither park nor delay the lane")
  void negativeMarksAreFenced() {
    Claim zombie = claim();
    expire();
    Claim owner = claim();
    assertFalse(settle(zombie, 1, 1, new Then.Park(true, "zombie")));
    assertFalse(settle(zombie, 1, 1, new Then.Wait(Duration.ofHours(1), true, true, "zombie")));
    assertFalse(settle(zombie, 1, 1, new Then.Skip(1, "zombie")));
    assertFalse(settle(zombie, 1, 1, new Then.Release()));
    assertState("leased");
    assertEquals(0, database.number("SELECT tries + event_faults FROM lane"));
    assertEquals(0, database.number("SELECT count(*) FROM dead_letter"));
    assertTrue(settle(owner, 1, 6, new Then.Release()));
    assertState("idle");
    assertEquals(4, (int) node.meters.get("postroom.relay.fenced").counter().count());
  }

  @Test
  @DisplayName("D3: the mark of a lost lease that waits behind the owner's is not taken for it")
  void twoLeasesWait() {
    Claim zombie = claim();
    expire();
    Claim owner = claim();
    Future<Boolean> first = later(zombie, 1, 2, new Then.Keep());
    Future<Boolean> owners = later(owner, 1, 6, new Then.Release());
    Future<Boolean> zombies = later(zombie, 2, 3, new Then.Keep());
    assertFalse(Relaying.await(first));
    assertTrue(Relaying.await(owners));
    assertFalse(Relaying.await(zombies));
    assertState("idle");
    assertEquals(6, next());
  }

  @Test
  @DisplayName("H2, D1: a positive mark is harmless from anybody, in any order")
  void positiveMarks() {
    Claim zombie = claim();
    expire();
    Claim owner = claim();
    settle(zombie, 1, 3, new Then.Keep());
    assertEquals(3, next());
    settle(owner, 1, 2, new Then.Keep());
    assertEquals(3, next(), "never back");
    settle(owner, 2, 6, new Then.Release());
    assertEquals(6, next());
    settle(zombie, 3, 4, new Then.Keep());
    assertEquals(6, next());
    assertState("idle");
  }

  @Test
  @DisplayName("H2: a mark over events that nobody answered moves nothing")
  void noJump() {
    Claim mine = claim();
    settle(mine, 4, 5, new Then.Keep());
    assertEquals(1, next());
  }

  @Test
  @DisplayName("H1: a lane whose earlier mark was lost is not at rest, whatever was answered since")
  void lostMark() {
    Claim mine = claim();
    settle(mine, 3, 6, new Then.Release());
    assertEquals(1, next());
    assertState("ready");
    assertEquals(1, claim().next());
  }

  @Test
  @DisplayName("S8: what is rung while a lane is leased is not forgotten at its release")
  void rungMeanwhile() {
    Claim mine = claim();
    Relaying.accept(database, "a", 1);
    Relaying.await(node.outbox.ring(0));
    settle(mine, 1, 6, new Then.Release());
    assertState("ready");
    Claim again = claim();
    assertEquals(6, again.next());
    assertEquals(6, again.known());
  }

  @Test
  @DisplayName("P6: a wait is in the row: no node and no restart tries sooner")
  void waits() {
    settle(claim(), 1, 1, new Then.Wait(Duration.ofHours(1), true, true, "refused"));
    assertState("backoff");
    try (Relaying other = new Relaying(database, new Receivers(), Map.of())) {
      for (Relaying each : List.of(node, other)) {
        assertEquals(List.of(), Relaying.await(each.lanes.claim(sink, 1e10, 10, LEASE)));
      }
    }
    database.execute("UPDATE lane SET due_at = now()");
    assertEquals(1, claim().eventFaults());
  }

  @Test
  @DisplayName("H6: a success in between begins the count of failures anew")
  void countsInARow() {
    Claim mine = claim();
    settle(mine, 1, 1, new Then.Wait(Duration.ZERO, true, true, "first"));
    mine = claim();
    assertEquals(1, mine.eventFaults());
    settle(mine, 1, 1, new Then.Wait(Duration.ZERO, true, false, "second"));
    mine = claim();
    assertEquals(1, mine.eventFaults());
    assertEquals(2, mine.tries());
    settle(mine, 1, 3, new Then.Wait(Duration.ZERO, true, true, "third"));
    mine = claim();
    assertEquals(3, mine.next());
    assertEquals(1, mine.eventFaults());
    assertEquals(1, mine.tries());
  }

  @Test
  @DisplayName("A renewal keeps the lane, and not one that was lost")
  void renews() {
    Claim lost = claim();
    expire();
    Claim owner = claim();
    assertEquals(Map.of(), Relaying.await(node.lanes.renew(List.of(lost), LEASE)), "old token");
    expire();
    assertEquals(
        Map.of(owner.key(), owner.token()),
        Relaying.await(node.lanes.renew(List.of(owner), LEASE)));
    assertEquals(List.of(), Relaying.await(node.lanes.claim(sink, 1e10, 10, LEASE)));
  }

  @Test
  @DisplayName("H2, H4: a lane that somebody keeps locked costs the marks of no other")
  void lockedLane() throws Exception {
    Relaying.room(database, "b");
    Relaying.accept(database, "b", 1);
    Relaying.await(node.outbox.ring(0));
    List<Claim> claims = Relaying.await(node.lanes.claim(sink, 1e10, 10, LEASE));
    List<Future<Boolean>> marks = new ArrayList<>();
    try (Connection holder = database.connect()) {
      holder.setAutoCommit(false);
      holder
          .createStatement()
          .execute(
              "SELECT 1 FROM lane WHERE room_no = " + claims.get(0).key().roomNo() + " FOR UPDATE");
      // The first of them goes alone; the next goes with the other lane's.
      for (int i : new int[] {0, 0, 1}) {
        Claim claim = claims.get(i);
        marks.add(later(claim, claim.next(), claim.known() + 1, new Then.Release()));
      }
      assertTrue(Relaying.await(marks.get(2)));
      Relaying.await(marks.get(1).otherwiseEmpty());
      holder.rollback();
    }
    assertTrue(marks.get(0).failed());
    assertTrue(marks.get(1).failed());
    assertEquals(1, database.number("SELECT count(*) FROM lane WHERE state = 'idle'"));
    assertEquals(2, (int) node.meters.get("postroom.relay.settle.lost").counter().count());
    assertEquals(0, (int) node.meters.get("postroom.relay.fenced").counter().count());
  }

  @Test
  @DisplayName("K1, R10: marking, ringing and renewing many lanes at once never deadlock")
  void lockOrder() {
    int rooms = 60;
    for (int i = 0; i < rooms; i++) {
      Relaying.room(database, "r" + i);
    }
    node.sink("second", SinkRow.Poison.BLOCK, true, "*");
    Random random = new Random(11);
    List<Future<?>> all = new ArrayList<>();
    long deadlocks =
        database.number(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()");
    for (int round = 0; round < 15; round++) {
      for (int i = 0; i < rooms; i++) {
        Relaying.accept(database, "r" + i, 1);
      }
      List<Claim> claims = Relaying.await(node.lanes.claim(sink, 1e10, 1_000, LEASE));
      all.add(node.outbox.ring(0));
      List<Claim> shuffled = new ArrayList<>(claims);
      Collections.shuffle(shuffled, random);
      all.add(node.lanes.renew(shuffled, LEASE));
      Settler other = new Settler(node.testDb.db(), node.parts.metrics());
      for (Claim claim : shuffled) {
        Settler settler = random.nextBoolean() ? node.settler : other;
        all.add(
            settler.settle(
                new Settlement(
                    claim.key(),
                    claim.token(),
                    claim.lineage(),
                    claim.next(),
                    claim.known() + 1,
                    List.of(),
                    new Then.Release())));
      }
      all.add(node.outbox.ring(0));
    }
    Relaying.await(Future.all(all));
    assertEquals(
        deadlocks,
        database.number(
            "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"));
  }
}
