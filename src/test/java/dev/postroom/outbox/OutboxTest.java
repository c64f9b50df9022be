package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.Seed;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OutboxTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();

  @Test
  @DisplayName("L1: 100 transactions that commit long after others with higher numbers")
  void lateCommits() throws SQLException {
    Random random = new Random(Seed.pick("late commits"));
    List<Connection> open = new ArrayList<>();
    try (Relaying node = new Relaying(database, receivers, Map.of()).started()) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      for (int i = 0; i < 100; i++) {
        Relaying.room(database, "r" + i);
      }
      for (int i = 0; i < 100; i++) {
        Connection connection = database.connect();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
          statement.execute(Relaying.acceptSql("r" + i, 2));
        }
        open.add(connection);
        // Others commit, are seen and delivered, while these wait.
        while (open.size() > 20 || (random.nextBoolean() && !open.isEmpty())) {
          end(open.remove(random.nextInt(open.size())));
          if (random.nextInt(4) == 0) {
            node.pass();
          }
        }
      }
      while (!open.isEmpty()) {
        end(open.remove(random.nextInt(open.size())));
      }

      Receiver receiver = receivers.of("all");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.count() == 200);
      assertEquals(List.of(), receiver.disorder());
    }
  }

  private static void end(Connection connection) throws SQLException {
    connection.commit();
    connection.close();
  }

  @Test
  @DisplayName("L3, L10: what was rolled back is never handed over, and its numbers hold up nobody")
  void rolledBack() throws SQLException {
    try (Relaying node = new Relaying(database, receivers, Map.of()).started()) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      Relaying.room(database, "a");
      for (int i = 0; i < 30; i++) {
        try (Connection connection = database.connect();
            Statement statement = connection.createStatement()) {
          connection.setAutoCommit(false);
          statement.execute(Relaying.acceptSql("a", 1));
          if (i % 3 == 0) {
            connection.commit();
          } else {
            connection.rollback();
          }
        }
      }
      Receiver receiver = receivers.of("all");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.count() == 10);
      assertEquals(LongStream.rangeClosed(1, 10).boxed().toList(), receiver.numbers("a"));
    }
  }

  @Test
  @DisplayName("L20, S7: a backlog of any size leaves in bounded steps, until nothing is left")
  void backlog() {
    Relaying.room(database, "a");
    try (Relaying node = new Relaying(database, receivers, Map.of())) {
      node.sink("all", SinkRow.Poison.BLOCK, false, "*");
      database.execute(
          "DO $$ BEGIN FOR i IN 1..2500 LOOP %s; END LOOP; END $$"
              .formatted(Relaying.acceptSql("a", 1)));
      int taken = 0;
      int steps = 0;
      while (true) {
        Outbox.Rung rung = Relaying.await(node.outbox.ring(0));
        taken += rung.taken();
        steps++;
        if (rung.taken() < Outbox.ROWS) {
          break;
        }
      }
      assertEquals(2_500, taken);
      assertEquals(3, steps);
      assertEquals(1, database.number("SELECT count(*) FROM lane WHERE known_seq = 2500"));
      assertTrue(Relaying.await(node.outbox.look(0, 1e10)).due().size() == 1);
    }
  }

  @Test
  @DisplayName("H1: a sink is made while others write, and misses nothing that comes after")
  void madeUnderLoad() throws InterruptedException {
    for (int i = 0; i < 8; i++) {
      Relaying.room(database, "r" + i);
    }
    try (Relaying node = new Relaying(database, receivers, Map.of()).started()) {
      node.sink("first", SinkRow.Poison.BLOCK, true, "*");
      List<Thread> writers = new ArrayList<>();
      for (int w = 0; w < 4; w++) {
        int offset = w * 2;
        Thread writer =
            new Thread(
                () -> {
                  for (int i = 0; i < 150; i++) {
                    Relaying.accept(database, "r" + (offset + i % 2), 1);
                    if (i % 50 == 0) {
                      Relaying.room(database, "new-" + offset + "-" + i);
                      Relaying.accept(database, "new-" + offset + "-" + i, 2);
                    }
                  }
                });
        writers.add(writer);
        writer.start();
      }
      for (int i = 0; i < 6; i++) {
        node.sink("from-" + i, SinkRow.Poison.BLOCK, i % 2 == 0, "*");
      }
      for (Thread writer : writers) {
        writer.join();
      }

      Receiver first = receivers.of("first");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> first.count() == 624);
      for (int i = 0; i < 6; i++) {
        Receiver receiver = receivers.of("from-" + i);
        int number = i;
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () ->
                    database.number(
                            "SELECT count(*) FROM lane JOIN sink ON no = sink_no AND id = 'from-"
                                + number
                                + "' WHERE next_seq <= known_seq")
                        == 0);
        assertEquals(List.of(), receiver.disorder());
        for (int r = 0; r < 8; r++) {
          List<Long> numbers = receiver.numbers("r" + r);
          assertEquals(75L, (long) numbers.get(numbers.size() - 1));
          if (i % 2 == 0) {
            assertEquals(75, numbers.size());
          }
        }
      }
    }
  }
}
