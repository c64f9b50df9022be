package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Two designs that do not work, and the point that breaks each.
 *
 * <p>Something is booked in a database and has to be told to somebody else. There are two steps and
 * no transaction over both, so a process can die between them. Whichever comes first, one of the
 * two sides is wrong afterwards, and nothing on either side says so. With an outbox the first step
 * books both what happened and that it is to be told; the second can be tried as often as it takes.
 */
class WhyAnOutboxTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();

  /** What the other side was told. */
  private final List<String> queue = new ArrayList<>();

  private long booked() {
    return database.number("SELECT count(*) FROM booking");
  }

  private void book(String what) {
    database.execute("INSERT INTO booking VALUES ('" + what + "')");
  }

  private static void dies(boolean here) {
    if (here) {
      throw new Death();
    }
  }

  private static void run(Runnable work) {
    try {
      work.run();
    } catch (Death died) {
      // A process that is gone does nothing more.
    }
  }

  @Test
  @DisplayName("Book first, then queue: a death in between loses the event (L10, L11)")
  void bookFirst() {
    database.execute("CREATE TABLE booking (what text)");
    run(
        () -> {
          book("order 1");
          dies(true);
          queue.add("order 1");
        });
    assertEquals(1, booked());
    assertEquals(List.of(), queue, "booked, and nobody will ever hear of it");
  }

  @Test
  @DisplayName("Queue first, then book: a death in between tells what never happened (L9)")
  void queueFirst() {
    database.execute("CREATE TABLE booking (what text)");
    run(
        () -> {
          queue.add("order 1");
          dies(true);
          book("order 1");
        });
    assertEquals(0, booked());
    assertEquals(List.of("order 1"), queue, "told, and it never happened");
  }

  @Test
  @DisplayName("With the outbox: dead before the commit nothing, dead after it everything (A4, H1)")
  void outbox() {
    Receivers receivers = new Receivers();
    try (Relaying first = new Relaying(database, receivers, Map.of())) {
      first.sink("all", SinkRow.Poison.BLOCK, false, "*");
    }
    Relaying.room(database, "a");
    // The one transaction, which the process does not live to commit …
    database.execute("BEGIN; " + Relaying.acceptSql("a", 1) + "; ROLLBACK");
    // … and one that it does commit, and dies.
    Relaying.accept(database, "a", 1);
    assertEquals(0, receivers.of("all").count());

    try (Relaying next = new Relaying(database, receivers, Map.of()).started()) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> receivers.of("all").count() == 1);
      assertEquals(1, database.number("SELECT count(*) FROM message"));
      assertEquals(List.of(1L), receivers.of("all").numbers("a"));
      assertEquals(0, (int) next.meters.get("postroom.relay.repeats").counter().count());
    }
  }

  private static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1;
  }
}
