package dev.postroom.accept;

import static dev.postroom.accept.Accepting.submission;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.postroom.room.RoomConfig;
import dev.postroom.testkit.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A repeat is a duplicate however late it comes: the key lives as long as its message (A2). */
class LateRepeatTest {
  private Accepting accepting;

  @BeforeEach
  void open() {
    accepting = new Accepting();
    accepting.room("a");
  }

  @AfterEach
  void close() {
    accepting.close();
  }

  @ParameterizedTest(name = "ACC-04, I7, I11: repeated when the first was at {0}: a duplicate")
  @ValueSource(
      strings = {
        "now() - interval '31 seconds'",
        "now() - interval '1 hour'",
        "now() - interval '25 hours'",
        "now() - interval '1 year'",
        // The last moment of yesterday, in the time zone of the sessions and in UTC.
        "date_trunc('day', now()) - interval '1 microsecond'",
        "date_trunc('day', now(), 'UTC') - interval '1 microsecond'"
      })
  @DisplayName("ACC-04, I7, I11: late repeats")
  void late(String then) {
    Outcome.Accepted first = accepted(accepting, "x");
    accepting.database.execute("UPDATE message SET accepted_at = " + then);
    // By default nothing that a repeat needs is purged, whatever its age.
    new Purge(accepting.testDb.db(), Settings.of(RoomConfig.class, Map.of()))
        .pass()
        .await()
        .atMost(Duration.ofMinutes(1));
    try (Accepting elsewhere = accepting.beside()) {
      for (Accepting node : new Accepting[] {accepting, elsewhere}) {
        Outcome.Accepted repeat = accepted(node, "x");
        assertEquals(true, repeat.duplicate());
        assertEquals(first.message().messageId(), repeat.message().messageId());
        assertEquals(first.message().seq(), repeat.message().seq());
        assertEquals(
            new Outcome.Conflict(first.message().messageId(), 1),
            node.accept(submission("ann", "a", "k", "other")));
      }
    }
    assertEquals(1, accepting.database.number("SELECT count(*) FROM message"));
    accepting.assertDense();
  }

  private static Outcome.Accepted accepted(Accepting node, String text) {
    return assertInstanceOf(Outcome.Accepted.class, node.accept(submission("ann", "a", "k", text)));
  }
}
