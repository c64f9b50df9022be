package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.accept.Ledger.Entry;
import dev.postroom.db.Constraint;
import dev.postroom.db.Db;
import dev.postroom.testkit.Seed;
import dev.postroom.testkit.TestDb;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The UNIQUE constraint is what decides (A1): eight connections past the combiner with the ledger's
 * own SQL and the same keys, half of them careless enough to leave the lock out, while backends are
 * killed in mid-transaction.
 */
class ConstraintTest {
  private static final int WRITERS = 8;
  private static final int KEYS = 300;

  private final Set<String> written = ConcurrentHashMap.newKeySet();
  private final AtomicInteger violations = new AtomicInteger();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();

  @Test
  @DisplayName("A1, A4, N1, I1, I8: 300 keys eight times, with kills: 300 messages, numbers 1-300")
  void eightWritersAndKills() throws Exception {
    long seed = Seed.pick("eightWritersAndKills");
    try (Accepting accepting = new Accepting()) {
      accepting.room("a");
      int kills = race(accepting, seed);
      assertEquals(KEYS, count(accepting, "SELECT count(*) FROM message"));
      assertEquals(KEYS, count(accepting, "SELECT max(seq) FROM message"));
      assertEquals(1, count(accepting, "SELECT min(seq) FROM message"));
      assertEquals(KEYS, count(accepting, "SELECT head FROM room"));
      assertEquals(KEYS, count(accepting, "SELECT sum(last_seq - first_seq + 1) FROM outbox"));
      assertEquals(KEYS, written.size(), "one (key, id, seq) for all eight");
      System.out.printf(
          "%d kills, %d unique violations, other failures %s%n", kills, violations.get(), failures);
      assertTrue(violations.get() > 0, "the constraint was never asked");
      assertTrue(kills > 0, "nobody was killed");
    }
  }

  private int race(Accepting accepting, long seed) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    List<java.util.concurrent.Future<?>> running = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      running.add(writers.submit(() -> write(accepting, number, new Random(seed + number))));
    }
    int kills = 0;
    Random random = new Random(seed);
    while (running.stream().anyMatch(one -> !one.isDone())) {
      kills +=
          (int)
              accepting.database.number(
                  "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity"
                      + " WHERE datname = current_database() AND application_name = 'postroom'"
                      + " AND xact_start IS NOT NULL ORDER BY random() LIMIT "
                      + random.nextInt(2)
                      + ") k");
    }
    for (java.util.concurrent.Future<?> one : running) {
      one.get();
    }
    writers.shutdown();
    return kills;
  }

  private Void write(Accepting accepting, int writer, Random random) throws Exception {
    List<Integer> keys = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      keys.add(key);
    }
    Collections.shuffle(keys, random);
    try (TestDb own = new TestDb(accepting.database.connectOptions(), 3)) {
      Ledger ledger = new Ledger(own.db());
      for (int from = 0; from < KEYS; ) {
        int to = Math.min(KEYS, from + random.nextInt(1, 12));
        List<Command> batch =
            keys.subList(from, to).stream()
                .map(key -> submission("ann", "a", "k" + key, "text " + key))
                .map(submission -> new Command(submission, false, outcome -> {}))
                .toList();
        if (writer % 2 == 0 ? careful(ledger, batch) : careless(own.db(), batch)) {
          from = to;
        }
      }
    }
    return null;
  }

  private boolean careful(Ledger ledger, List<Command> batch) throws Exception {
    return isDone(
        ledger
            .write(batch, Set.of())
            .onSuccess(
                entries -> {
                  for (Entry entry : entries) {
                    Entry.Kept kept = (Entry.Kept) entry;
                    note(
                        kept.message().clientMessageId(),
                        kept.message().messageId(),
                        kept.message().seq());
                  }
                }));
  }

  /** Without the lock two of them see the same head and the same keys missing. */
  private boolean careless(Db db, List<Command> batch) throws Exception {
    return isDone(db.transaction(Ledger.accept(batch)).onSuccess(rows -> note(batch, rows)));
  }

  private void note(List<Command> batch, RowSet<Row> rows) {
    int n = 0;
    for (Row row : rows) {
      note(
          batch.get(n++).submission().clientMessageId(),
          row.getUUID("message_id"),
          row.getLong("seq"));
    }
  }

  private void note(String key, Object messageId, long seq) {
    written.add(key + " " + messageId + " " + seq);
  }

  private boolean isDone(Future<?> write) throws Exception {
    try {
      write.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      if (Constraint.violatedBy(e.getCause()) != null) {
        violations.incrementAndGet();
      } else {
        failures.merge(String.valueOf(e.getCause()), 1, Integer::sum);
      }
      return false;
    }
  }

  private static long count(Accepting accepting, String sql) {
    return accepting.database.number(sql);
  }
}
