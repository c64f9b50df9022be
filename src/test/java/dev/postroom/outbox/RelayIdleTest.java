package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.CommitCutter;
import dev.postroom.testkit.EmbeddedPg;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a relay with nothing to do asks of the database, as docs/operations.md says it (S1). */
class RelayIdleTest {
  private static final int SINKS = 3;
  private static final int PASSES = 50;

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private CommitCutter counter;

  @BeforeEach
  void start() throws IOException {
    counter = new CommitCutter(database.port());
  }

  @AfterEach
  void stop() throws IOException {
    counter.close();
  }

  /** A relay whose sinks have been handed what there was; nothing looks but {@code pass}. */
  private Relaying idle(String sweep) {
    Relaying node =
        new Relaying(
            database,
            new EmbeddedPg.Database(counter.port(), database.name()).connectOptions(),
            receivers,
            Map.of("postroom.relay.sweep", sweep));
    node.relay.onStart(null);
    for (int i = 0; i < SINKS; i++) {
      node.sink("s" + i, SinkRow.Poison.BLOCK, false, "*");
    }
    for (String room : new String[] {"a", "b"}) {
      Relaying.room(database, room);
      Relaying.accept(database, room, 5);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              node.pass();
              return database.number("SELECT count(*) FROM lane WHERE state = 'idle'") == 2 * SINKS;
            });
    return node;
  }

  /** Statements that this many passes made. */
  private int asked(Relaying node, int passes) {
    int before = counter.statements();
    for (int i = 0; i < passes; i++) {
      node.pass();
    }
    return counter.statements() - before;
  }

  @Test
  @DisplayName("S1: an idle relay asks one thing a look, however many sinks and rooms there are")
  void look() {
    try (Relaying node = idle("1H")) {
      // What was still under way has come to its end.
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> asked(node, 5) == 5);
      assertEquals(PASSES, asked(node, PASSES));
    }
  }

  @Test
  @DisplayName("S1: a sweep asks at most two things more of each sink")
  void sweep() {
    try (Relaying node = idle("1MS")) {
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> asked(node, 5) <= 5 * most());
      int asked = asked(node, PASSES);
      assertTrue(asked <= (PASSES + 1) * most(), asked + " statements");
      assertTrue(asked > PASSES, "they were sweeps");
    }
  }

  private static int most() {
    return 1 + 2 * SINKS;
  }
}
