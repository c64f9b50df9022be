package dev.postroom.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.Receivers.Receiver;
import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S13, H1: a sink that says that it is no more is disabled, and nothing in between. */
class GoneSinkTest {
  private static final DeliveryResult GONE = new DeliveryResult.Gone("answered 410");

  private final EmbeddedPg.Database database = EmbeddedPg.freshDatabase();
  private final Receivers receivers = new Receivers();
  private final Receiver receiver = receivers.of("all");
  private Relaying node;
  private int sink;

  @BeforeEach
  void open() {
    Map<String, String> settings = Map.of("postroom.relay.circuit-max", "20MS");
    node = new Relaying(database, receivers, settings).started();
    sink = node.sink("all", SinkRow.Poison.BLOCK, false, "*");
    Relaying.room(database, "a");
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void awaitDisabled() {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> database.number("SELECT count(*) FROM sink WHERE state = 'disabled'") == 1);
  }

  @Test
  @DisplayName("S13: disabling is repeated until it is written; the sink is not called meanwhile")
  void writtenInTheEnd() {
    database.execute("CREATE SEQUENCE refused");
    database.execute(
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('refused') < 4 THEN
            RAISE EXCEPTION 'refused by the test' USING ERRCODE = 'lock_not_available';
          END IF;
          RETURN new;
        END $$
        """);
    database.execute(
        "CREATE TRIGGER refuse BEFORE UPDATE ON sink FOR EACH ROW"
            + " WHEN (new.state = 'disabled') EXECUTE FUNCTION refuse()");
    receiver.behave(event -> Receiver.answer(GONE));
    Relaying.accept(database, "a", 2);
    awaitDisabled();
    assertEquals(4, database.number("SELECT last_value FROM refused"));
    assertEquals(1, receiver.calls());

    receiver.behave(event -> Receiver.delivered());
    Relaying.await(node.sinks.resume(sink));
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.count() == 2);
  }

  @Test
  @DisplayName(
      "S13: what was answered under settings that somebody changed meanwhile disables nothing")
  void changedMeanwhile() {
    receiver.behave(
        event -> {
          if (receiver.calls() > 1) {
            return Receiver.delivered();
          }
          database.execute("UPDATE sink SET changed = nextval('sink_change')");
          return Receiver.answer(GONE);
        });
    Relaying.accept(database, "a", 2);
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> receiver.count() == 2);
    assertEquals(1, database.number("SELECT count(*) FROM sink WHERE state = 'active'"));
  }
}
