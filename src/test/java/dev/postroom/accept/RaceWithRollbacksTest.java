package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.RoomMessage;
import dev.postroom.testkit.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two nodes, a few rooms, the same keys from both, and transactions that die by chance. */
class RaceWithRollbacksTest {
  private static final int COMMANDS = 10_000;
  private static final int KEYS = 6_000;
  private static final int WINDOW = 200;
  private static final List<String> ROOMS = List.of("a", "b", "c");

  private final Map<String, RoomMessage> acknowledged = new HashMap<>();

  @Test
  @DisplayName("I8, N1, A1, A2: after 10,000 races with rollbacks 1…n without holes")
  void races() throws InterruptedException {
    long seed = Seed.pick("races");
    Random random = new Random(seed);
    try (Accepting one = new Accepting();
        Accepting two = new Accepting(one.database, one.database.connectOptions(), Map.of())) {
      one.room(ROOMS.toArray(String[]::new));
      AtomicBoolean over = new AtomicBoolean();
      Thread rollbacks = new Thread(() -> rollBack(one, new Random(seed), over));
      rollbacks.start();
      for (int sent = 0; sent < COMMANDS; sent += WINDOW) {
        List<Submission> window = new ArrayList<>();
        for (int n = 0; n < WINDOW; n++) {
          String key = "k" + random.nextInt(KEYS);
          String room = ROOMS.get(random.nextInt(ROOMS.size()));
          window.add(submission("p" + random.nextInt(2), room, key, key));
        }
        accept(window, random.nextBoolean() ? one : two, two);
      }
      over.set(true);
      rollbacks.join();
      assertDense(one);
    }
  }

  /** Sends until all are in, each by either node, and remembers what was acknowledged. */
  private void accept(List<Submission> window, Accepting one, Accepting two) {
    List<Submission> open = window;
    while (!open.isEmpty()) {
      List<CompletableFuture<Outcome>> results = new ArrayList<>();
      for (int n = 0; n < open.size(); n++) {
        results.add((n % 2 == 0 ? one : two).submit(open.get(n)));
      }
      List<Submission> again = new ArrayList<>();
      for (int n = 0; n < open.size(); n++) {
        Outcome outcome = results.get(n).join();
        if (outcome instanceof Outcome.Accepted accepted) {
          remember(open.get(n), accepted.message());
        } else {
          ErrorCode code = assertInstanceOf(Outcome.Refused.class, outcome).code();
          assertTrue(code.temporary(), code.wire());
          again.add(open.get(n));
        }
      }
      open = again;
    }
  }

  private void remember(Submission submission, RoomMessage message) {
    String key = submission.room() + "/" + message.participant() + "/" + message.clientMessageId();
    RoomMessage before = acknowledged.putIfAbsent(key, message);
    if (before != null) {
      assertEquals(before, message);
    }
  }

  private static void rollBack(Accepting accepting, Random random, AtomicBoolean over) {
    String[] ways = {"pg_cancel_backend", "pg_terminate_backend"};
    while (!over.get()) {
      accepting.database.number(
          "SELECT count("
              + ways[random.nextInt(2)]
              + "(pid)), pg_sleep(0.05) FROM (SELECT pid FROM pg_stat_activity WHERE datname ="
              + " current_database() AND application_name = 'postroom' AND state = 'active'"
              + " ORDER BY random() LIMIT 1) victim");
    }
  }

  private void assertDense(Accepting accepting) {
    assertEquals(acknowledged.size(), accepting.database.number("SELECT count(*) FROM message"));
    assertEquals(
        acknowledged.size(),
        accepting.database.number("SELECT sum(last_seq - first_seq + 1) FROM outbox"));
    assertEquals(
        0,
        accepting.database.number(
            "SELECT count(*) FROM room WHERE head IS DISTINCT FROM (SELECT max(seq) FROM message"
                + " WHERE room_no = no) OR head <> (SELECT count(*) FROM message WHERE room_no ="
                + " no) OR 1 <> (SELECT min(seq) FROM message WHERE room_no = no)"));
  }
}
