package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.room.RoomConfig;
import dev.postroom.testkit.Seed;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** H1: what is still to be handed over is not purged, and all else is, whatever the state. */
class PurgeKeepsTest {
  private static final int ROUNDS = 15;
  private static final int ROOMS = 8;
  private static final List<String> PENDING = List.of("ready", "leased", "backoff", "parked");

  private Accepting accepting;

  @BeforeEach
  void open() {
    accepting = new Accepting();
  }

  @AfterEach
  void close() {
    accepting.close();
  }

  @Test
  @DisplayName("H1, L6, L7: over random states, exactly what nobody waits for goes")
  void randomStates() {
    long seed = Seed.pick("randomStates");
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      accepting.database.execute(
          """
          TRUNCATE room, message, outbox, sink, lane, dead_letter RESTART IDENTITY CASCADE;
          INSERT INTO sink (id, type, name, rooms, likes, target, format, poison, state, deleted_at)
          VALUES ('a', 'webhook', 'a', '{}', '{%}', '', 'structured', 'block', 'active', NULL),
                 ('b', 'webhook', 'b', '{}', '{%}', '', 'structured', 'block', 'paused', NULL),
                 ('c', 'webhook', 'c', '{}', '{%}', '', 'structured', 'block', 'active', now())
          """);
      List<State> states = new ArrayList<>();
      for (int no = 1; no <= ROOMS; no++) {
        states.add(make(no, random));
      }
      Integer count = random.nextBoolean() ? random.nextInt(40) : null;
      Integer hours = count == null || random.nextBoolean() ? random.nextInt(1, 60) : null;

      pass(count, hours);

      states.forEach(state -> check(state, state.wanted, count, hours));
      accepting.database.execute(
          "UPDATE lane SET next_seq = known_seq + 1, state = 'idle', due_at = NULL;"
              + "DELETE FROM dead_letter; DELETE FROM outbox");

      pass(count, hours);

      states.forEach(state -> check(state, Integer.MAX_VALUE, count, hours));
    }
  }

  /** Message n of a room is head + 1 - n hours old, and a half. */
  private State make(int no, Random random) {
    int head = random.nextInt(60);
    boolean closed = random.nextInt(3) == 0;
    accepting.database.execute(
        """
        INSERT INTO room (id, nonce, head, closed_at)
        VALUES ('r%1$d', 7, %2$d, %3$s);
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT %1$d, n, gen_random_uuid(), 'ann', 'k' || n, 'Ann', 1, 1, sha256('x'), 'x',
               now() - make_interval(hours => %2$d - n, mins => 30)
          FROM generate_series(1, %2$d) n
        """
            .formatted(no, head, closed ? "now() - interval '2 days'" : "NULL"));
    int wanted = Integer.MAX_VALUE;
    for (int sink = 1; sink <= 3; sink++) {
      if (random.nextInt(4) == 0) {
        continue;
      }
      int known = random.nextInt(3) == 0 ? random.nextInt(head + 1) : head;
      int next = random.nextInt(3) == 0 ? random.nextInt(1, known + 2) : known + 1;
      lane(no, sink, next, known, random);
      if (sink < 3 && next <= known) {
        wanted = Math.min(wanted, next);
      }
      if (next > 1 && random.nextInt(4) == 0) {
        int dead = random.nextInt(1, next);
        accepting.database.execute(
            "INSERT INTO dead_letter (sink_no, room_no, seq, reason, first_failed_at)"
                + " VALUES (%d, %d, %d, '', now() - interval '20 days')".formatted(sink, no, dead));
        wanted = sink < 3 ? Math.min(wanted, dead) : wanted;
      }
    }
    if (head > 0 && random.nextInt(4) == 0) {
      int first = random.nextInt(1, head + 1);
      accepting.database.execute(
          "INSERT INTO outbox (room_no, first_seq, last_seq) VALUES (%d, %d, %d)"
              .formatted(no, first, head));
      wanted = Math.min(wanted, first);
    }
    return new State(no, head, closed, wanted);
  }

  private void lane(int room, int sink, int next, int known, Random random) {
    String state = next > known ? "idle" : PENDING.get(random.nextInt(PENDING.size()));
    boolean due = !state.equals("idle") && !state.equals("parked");
    accepting.database.execute(
        "INSERT INTO lane (sink_no, room_no, next_seq, known_seq, state, due_at)"
            + " VALUES (%d, %d, %d, %d, '%s', %s)"
                .formatted(sink, room, next, known, state, due ? "now()" : "NULL"));
  }

  private void check(State state, int wanted, @Nullable Integer count, @Nullable Integer hours) {
    int from =
        state.closed
            ? Integer.MAX_VALUE
            : Math.max(
                count == null ? 1 : state.head - count + 1,
                hours == null ? 1 : state.head - hours + 1);
    int first = Math.min(Math.max(1, Math.min(from, wanted)), state.head + 1);
    String room = state + " wanted from " + wanted;
    assertEquals(
        state.head - first + 1,
        count("SELECT count(text) FROM message WHERE room_no = " + state.no),
        room);
    assertEquals(
        state.head > 0 && first <= state.head ? first : 0,
        count(
            "SELECT coalesce(min(seq), 0) FROM message WHERE text IS NOT NULL AND room_no = "
                + state.no),
        room);
    boolean stays = !state.closed || wanted < Integer.MAX_VALUE;
    assertEquals(stays ? 1 : 0, count("SELECT count(*) FROM room WHERE no = " + state.no), room);
    if (!stays) {
      assertEquals(
          0, count("SELECT count(*) FROM lane WHERE sink_no < 3 AND room_no = " + state.no), room);
    }
  }

  private void pass(@Nullable Integer count, @Nullable Integer hours) {
    Map<String, String> settings = new HashMap<>();
    if (count != null) {
      settings.put("postroom.keep.text-count", count.toString());
    }
    if (hours != null) {
      settings.put("postroom.keep.text-for", hours + "H");
    }
    RoomConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(RoomConfig.class)
            .withConverter(Duration.class, 200, new DurationConverter())
            .withDefaultValues(settings)
            .build()
            .getConfigMapping(RoomConfig.class);
    new Purge(accepting.testDb.db(), config).pass().await().atMost(Duration.ofMinutes(1));
  }

  private long count(String sql) {
    return accepting.database.number(sql);
  }

  /**
   * A room as it was made.
   *
   * @param wanted the first number that somebody waits for
   */
  private record State(int no, int head, boolean closed, int wanted) {}
}
