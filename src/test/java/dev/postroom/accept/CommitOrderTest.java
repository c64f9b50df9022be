package dev.postroom.accept;

import static dev.postroom.accept.Accepting.await;
import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.db.Db;
import dev.postroom.room.MessageLog;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.Seed;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whoever reads n + 1 has had n before: no number is seen while a lower one is uncommitted. */
class CommitOrderTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int MESSAGES = 2_000;
  private static final int WINDOW = 50;

  private Accepting one;
  private Accepting two;
  private MessageLog log;
  private Rooms rooms;

  @BeforeEach
  void open() {
    one = new Accepting();
    two = one.beside();
    one.room("a", "b");
    log = new MessageLog(one.testDb.db());
    rooms = new Rooms(one.testDb.db());
  }

  @AfterEach
  void close() {
    two.close();
    one.close();
  }

  @Test
  @DisplayName(
      "N1, ORD-01, ORD-10: two nodes write, numbers stall uncommitted, no reader skips one")
  void noReaderSkipsOne() {
    Random random = new Random(Seed.pick("noReaderSkipsOne"));
    AtomicBoolean written = new AtomicBoolean();
    AtomicInteger stalls = new AtomicInteger();
    CompletableFuture<Integer> stalled = inThread(() -> stallAgainAndAgain(written, stalls));
    // The last number that stalled is to be read too.
    CompletableFuture<Integer> read = inThread(() -> readToTheEnd(stalled));
    try {
      // No writer begins before a number is taken and not committed.
      Awaitility.await().until(() -> stalls.get() > 0);
      int sent = 0;
      while (sent < MESSAGES) {
        List<CompletableFuture<Outcome>> window = new ArrayList<>();
        for (int n = 0; n < WINDOW; n++) {
          Accepting node = random.nextBoolean() ? one : two;
          window.add(node.submit(submission("ann", "a", "k" + sent++, "x")));
        }
        window.forEach(outcome -> assertInstanceOf(Outcome.Accepted.class, outcome.join()));
      }
    } finally {
      written.set(true);
    }
    int seen = read.join();
    int all = MESSAGES + stalled.join();
    assertTrue(stalled.join() > 1, "only " + stalled.join() + " numbers stalled");
    assertEquals(all, seen);
    assertEquals(all, room("a").head());
    one.assertDense();
  }

  @Test
  @DisplayName("ORD-01: a transaction open for 10 s holds up its own room, and no other")
  void heldForTenSeconds() {
    Promise<Void> go = Promise.promise();
    Promise<Void> taken = Promise.promise();
    Future<Void> first = stall(submission("slow", "a", "first", "x"), taken, go.future());
    await(taken.future());
    String age =
        "SELECT max(extract(epoch FROM clock_timestamp() - xact_start)) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND state = 'idle in transaction'";
    int sent = 0;
    while (one.database.number(age) < 10) {
      CompletableFuture<Outcome> behind = one.submit(submission("ann", "a", "behind", "x"));
      for (Accepting node : List.of(one, two)) {
        Submission neighbour = submission("ann", "b", "k" + sent++, "x");
        assertInstanceOf(Outcome.Accepted.class, node.accept(neighbour));
      }
      assertTrue(
          assertInstanceOf(Outcome.Refused.class, behind.join()).code().temporary(),
          "no number passes the one that is held");
      assertEquals(List.of(), after("a", 0));
      assertEquals(0, room("a").head());
      assertEquals(range(1, sent), after("b", 0));
    }
    go.complete();
    await(first);
    Awaitility.await()
        .until(
            () ->
                one.accept(submission("ann", "a", "behind", "x"))
                        instanceof Outcome.Accepted accepted
                    && accepted.message().seq() == 2);
    assertEquals(List.of(1L, 2L), after("a", 0));
    one.assertDense();
  }

  /** Takes numbers and commits each only when others wait behind it. */
  private int stallAgainAndAgain(AtomicBoolean over, AtomicInteger stalls) {
    while (!over.get()) {
      Promise<Void> go = Promise.promise();
      Promise<Void> taken = Promise.promise();
      int n = stalls.get();
      Future<Void> stalled = stall(submission("slow", "a", "slow" + n, "x"), taken, go.future());
      await(taken.future());
      stalls.incrementAndGet();
      Awaitility.await()
          .pollInterval(Duration.ofMillis(5))
          .until(
              () ->
                  over.get()
                      || one.database.number(
                              "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                  + " AND datname = current_database()")
                          > 0);
      go.complete();
      await(stalled);
    }
    return stalls.get();
  }

  /** The ledger's own statements, committed when told to. */
  private Future<Void> stall(Submission submission, Promise<Void> taken, Future<Void> go) {
    List<Command> commands = List.of(new Command(submission, false, outcome -> {}));
    Db.Statement lock = Ledger.lock(commands);
    Db.Statement accept = Ledger.accept(commands);
    return one.testDb
        .db()
        .withConnection(
            PATIENCE,
            connection ->
                connection
                    .query(Db.BEGIN)
                    .execute()
                    .compose(rows -> connection.preparedQuery(lock.sql()).execute(lock.arguments()))
                    .compose(
                        rows -> connection.preparedQuery(accept.sql()).execute(accept.arguments()))
                    .onFailure(taken::tryFail)
                    .onSuccess(rows -> taken.tryComplete())
                    .compose(rows -> go)
                    .compose(told -> connection.query("COMMIT").execute())
                    .mapEmpty());
  }

  /** One with a cursor, one of everything up to the head, one going back: no hole in any. */
  private int readToTheEnd(CompletableFuture<Integer> writers) {
    long cursor = 0;
    boolean last;
    do {
      last = writers.isDone();
      List<Long> next = after("a", cursor);
      assertEquals(range(cursor + 1, cursor + next.size()), next);
      cursor += next.size();
      long head = room("a").head();
      assertEquals(range(cursor + 1, head), upTo(head, cursor));
      List<Long> back = seqs(log.before(room("a"), Long.MAX_VALUE, 100));
      if (!back.isEmpty()) {
        assertEquals(range(back.get(0), back.get(0) + back.size() - 1), back);
      }
    } while (!last || !after("a", cursor).isEmpty());
    return (int) cursor;
  }

  private List<Long> upTo(long head, long cursor) {
    return after("a", cursor).stream().filter(seq -> seq <= head).toList();
  }

  private List<Long> after(String room, long cursor) {
    return seqs(log.after(room(room), cursor, Integer.MAX_VALUE));
  }

  private Room room(String id) {
    return rooms.find(new RoomId(id)).await().atMost(PATIENCE);
  }

  private static List<Long> seqs(Uni<List<RoomMessage>> page) {
    return page.await().atMost(PATIENCE).stream().map(RoomMessage::seq).toList();
  }

  private static List<Long> range(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  private static CompletableFuture<Integer> inThread(java.util.function.Supplier<Integer> work) {
    return CompletableFuture.supplyAsync(work, task -> new Thread(task).start());
  }
}
