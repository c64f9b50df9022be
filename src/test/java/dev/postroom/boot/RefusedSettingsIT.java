package dev.postroom.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.PostroomProcess;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Settings with which the packaged service does not start: one line, and nothing besides. */
class RefusedSettingsIT {
  private static EmbeddedPg.Database database;

  @BeforeAll
  static void start() {
    database = EmbeddedPg.freshDatabase();
  }

  private static String refusal(Map<String, String> environment) {
    try (PostroomProcess postroom = PostroomProcess.on(database)) {
      environment.forEach(postroom::env);
      assertEquals(1, postroom.launch().awaitExit());
      assertEquals(1, postroom.errors().lines().count(), postroom.errors());
      assertEquals("", postroom.output());
      return postroom.errors();
    }
  }

  @Test
  @DisplayName("S1: a number and a duration out of their bounds are both named")
  void outOfBounds() {
    String line =
        refusal(Map.of("POSTROOM_ACCEPT_LANES", "0", "POSTROOM_SESSION_HEARTBEAT", "-1S"));
    assertTrue(line.contains("postroom.accept.lanes must be greater than 0"), line);
    assertTrue(line.contains("postroom.session.heartbeat must be at least 100ms"), line);
  }

  @Test
  @DisplayName("K3: keys that would go before their text")
  void keysShorterThanText() {
    String line = refusal(Map.of("POSTROOM_KEEP_KEYS_FOR", "1D", "POSTROOM_KEEP_TEXT_FOR", "10D"));
    assertTrue(line.contains("postroom.keep.keys-for=PT24H is shorter"), line);
  }

  @Test
  @DisplayName("S2: what is no number of that kind, and a pool that leaves no connection for work")
  void unusable() {
    String line = refusal(Map.of("POSTROOM_SESSION_DELTA_MESSAGES", "999999999999"));
    assertTrue(line.contains("postroom.session.delta-messages"), line);
    assertFalse(line.contains("SRCFG"), line);
    String pool = refusal(Map.of("QUARKUS_DATASOURCE_REACTIVE_MAX_SIZE", "1"));
    assertTrue(pool.startsWith("QUARKUS_DATASOURCE_REACTIVE_MAX_SIZE is 1"), pool);
  }
}
