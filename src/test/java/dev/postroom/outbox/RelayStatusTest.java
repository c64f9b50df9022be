package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.RelayStatus.SinkStatus;
import dev.postroom.testkit.EmbeddedPg;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is seen of sinks that wait: that nothing is deleted by age is told by its age (L6, S4). */
class RelayStatusTest {
  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private Relaying node;
  private RelayStatus status;

  @BeforeEach
  void start() {
    node = new Relaying(database, new Receivers(), Map.of());
    status = new RelayStatus(node.testDb.db(), node.pumps, Relaying.config(Map.of()), node.meters);
    Relaying.room(database, "a");
    node.sink("all", SinkRow.Poison.BLOCK, false, "*");
    Relaying.accept(database, "a", 2);
    database.execute("UPDATE message SET accepted_at = now() - interval '20 days'");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private SinkStatus look() {
    Relaying.await(status.look());
    return status.sinks().get(0);
  }

  private void rung(String change) {
    Relaying.await(node.outbox.ring(0));
    database.execute("UPDATE lane SET " + change);
  }

  @Test
  @DisplayName("S4, L6: a parked event is told by its age; that is no fault of ours")
  void parked() {
    rung("state = 'parked', due_at = NULL");
    SinkStatus sink = look();
    assertEquals(20, sink.undeliveredOldest().toDays());
    assertEquals(1, sink.lanes().get("parked"));
    assertFalse(sink.isStuck());
    assertEquals(
        20, (int) (node.meters.get("postroom.relay.undelivered.oldest").gauge().value() / 86_400));
  }

  @Test
  @DisplayName("S4: what could leave and does not is our own fault, and told as such")
  void ready() {
    rung("due_at = now() - interval '2 min'");
    assertTrue(look().isStuck());
    Relaying.await(node.sinks.pause(1));
    assertFalse(look().isStuck());
  }

  @Test
  @DisplayName("S1: a deleted sink takes its meters with it")
  void deleted() {
    look();
    assertTrue(meters() > 0);
    Relaying.await(node.sinks.delete(1));
    Relaying.await(status.look());
    assertEquals(List.of(), status.sinks());
    assertEquals(0, meters());
  }

  private long meters() {
    return node.meters.getMeters().stream().filter(m -> m.getId().getTag("sink") != null).count();
  }

  @Test
  @DisplayName("S4: what nobody takes out of the outbox is told as well")
  void unrung() {
    SinkStatus sink = look();
    assertTrue(sink.isStuck());
    assertEquals(20, sink.undeliveredOldest().toDays());
  }
}
