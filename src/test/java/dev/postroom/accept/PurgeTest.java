package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.room.RoomConfig;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PurgeTest {
  private Accepting accepting;

  @BeforeEach
  void open() {
    accepting = new Accepting();
    accepting.room("a", "b");
    accepting.database.execute(
        """
        INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                             lineage, hash_rule, content_hash, text, accepted_at)
        SELECT no, n, gen_random_uuid(), 'ann', 'k' || n, 'Ann', 1, 1, sha256('x'), 'x',
               now() - make_interval(hours => 3000 - n)
          FROM room, generate_series(1, 2500) n WHERE id = 'a';
        UPDATE room SET head = 2500 WHERE id = 'a';
        """);
  }

  @AfterEach
  void close() {
    accepting.close();
  }

  @Test
  @DisplayName("by default everything lives as long as the room")
  void nothingByDefault() {
    pass(Map.of());
    assertEquals(2500, count("SELECT count(text) FROM message"));
  }

  @Test
  @DisplayName("text goes by count; keys, numbers and the verdict on repeats stay")
  void byCount() {
    pass(Map.of("postroom.keep.text-count", "100"));
    assertEquals(100, count("SELECT count(text) FROM message"));
    assertEquals(2401, count("SELECT min(seq) FROM message WHERE text IS NOT NULL"));
    assertEquals(2401, count("SELECT kept_from FROM room WHERE id = 'a'"));
    assertEquals(2500, count("SELECT count(*) FROM message"));
    Outcome.Accepted repeat =
        assertInstanceOf(
            Outcome.Accepted.class, accepting.accept(submission("ann", "a", "k7", "x")));
    assertTrue(repeat.duplicate());
    assertEquals(7, repeat.message().seq());
    assertInstanceOf(
        Outcome.Conflict.class, accepting.accept(submission("ann", "a", "k7", "other")));
  }

  @Test
  @DisplayName("text goes by age")
  void byAge() {
    pass(Map.of("postroom.keep.text-for", "1000H"));
    // Message n is 3000 - n hours old.
    assertEquals(2001, count("SELECT kept_from FROM room WHERE id = 'a'"));
    assertEquals(2001, count("SELECT min(seq) FROM message WHERE text IS NOT NULL"));
  }

  @Test
  @DisplayName("keys go only if that is configured, and never before their text")
  void keys() {
    pass(Map.of("postroom.keep.text-for", "1000H", "postroom.keep.keys-for", "2000H"));
    assertEquals(1001, count("SELECT min(seq) FROM message"));
    assertEquals(1001, count("SELECT keys_from FROM room WHERE id = 'a'"));
    Outcome.Accepted late =
        assertInstanceOf(
            Outcome.Accepted.class, accepting.accept(submission("ann", "a", "k7", "x")));
    assertEquals(2501, late.message().seq());
  }

  @Test
  @DisplayName("what was in a closed room goes after its time, and then the room")
  void closedRooms() {
    accepting.database.execute("UPDATE room SET closed_at = now() - interval '23 hours'");
    pass(Map.of());
    assertEquals(2500, count("SELECT count(*) FROM message"));
    accepting.database.execute("UPDATE room SET closed_at = now() - interval '25 hours'");
    pass(Map.of());
    assertEquals(0, count("SELECT count(*) FROM message"));
    assertEquals(0, count("SELECT count(*) FROM room"));
  }

  @Test
  @DisplayName("keys kept shorter than text are refused at start")
  void settings() {
    assertNull(Purge.wrong(config(Map.of())));
    assertNull(
        Purge.wrong(
            config(Map.of("postroom.keep.keys-for", "2D", "postroom.keep.text-for", "2D"))));
    assertTrue(
        Purge.wrong(config(Map.of("postroom.keep.keys-for", "1D", "postroom.keep.text-for", "2D")))
            .contains("postroom.keep.text-for"));
    assertTrue(Purge.wrong(config(Map.of("postroom.keep.keys-for", "1D"))).contains("for ever"));
  }

  private void pass(Map<String, String> settings) {
    new Purge(accepting.testDb.db(), config(settings)).pass().await().atMost(Duration.ofMinutes(1));
  }

  private static RoomConfig config(Map<String, String> settings) {
    return new SmallRyeConfigBuilder()
        .withMapping(RoomConfig.class)
        .withConverter(Duration.class, 200, new DurationConverter())
        .withDefaultValues(settings)
        .build()
        .getConfigMapping(RoomConfig.class);
  }

  private long count(String sql) {
    return accepting.database.number(sql);
  }
}
