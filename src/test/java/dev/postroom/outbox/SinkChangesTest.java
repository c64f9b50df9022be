package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.EmbeddedPg;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Changes of sinks take numbers, and commit in another order. */
class SinkChangesTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();

  @Test
  @DisplayName("S13, L3: a change that commits behind one with a higher number is seen as well")
  void behindAHigherNumber() throws SQLException {
    try (Relaying node = new Relaying(database, new Receivers(), Map.of());
        Connection slow = database.connect()) {
      int first = node.sink("first", SinkRow.Poison.BLOCK, false, "*");
      int second = node.sink("second", SinkRow.Poison.BLOCK, false, "*");
      Relaying.await(node.sinks.pause(first));
      node.pass();
      slow.setAutoCommit(false);
      try (Statement statement = slow.createStatement()) {
        statement.execute(
            "UPDATE sink SET state = 'active', changed = nextval('sink_change') WHERE no = "
                + first);
      }
      Relaying.await(node.sinks.pause(second));
      node.pass();
      assertEquals(SinkRow.State.PAUSED, node.pumps.of(second).sink().state());
      slow.commit();
      node.pass();
      assertEquals(SinkRow.State.ACTIVE, node.pumps.of(first).sink().state());
    }
  }
}
