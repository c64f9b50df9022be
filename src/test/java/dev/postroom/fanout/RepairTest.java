package dev.postroom.fanout;

import static dev.postroom.fanout.FanoutNode.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.room.Epochs;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A lane is brought to what the database says, whatever comes in between. */
class RepairTest {
  private static final RoomId ROOM = new RoomId("room");

  private EmbeddedPg.Database database;
  private FanoutNode node;
  private Room before;

  @BeforeEach
  void start() {
    database = EmbeddedPg.freshDatabase();
    node = new FanoutNode(database);
    before = await(new Rooms(node.testDb.db()).create(ROOM, null, null));
    database.execute(FanoutNode.acceptance(before.no(), 1));
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  @DisplayName("R4: what is heard of while the lane is reset to a new epoch is not forgotten")
  void heardDuringReset() throws Exception {
    FanoutNode.Reader reader = node.reader(ROOM);
    await(new Epochs(node.testDb.db()).renew("restored"));
    try (Connection other = database.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      // The newest messages cannot be read before this is over; the room can.
      statement.execute("LOCK TABLE message IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Void> confirmed = node.hub.confirm(ROOM).subscribeAsCompletionStage();
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  database.number(
                          "SELECT count(*) FROM pg_locks"
                              + " WHERE NOT granted AND relation = 'message'::regclass")
                      > 0);
      node.hub.movedElsewhere(ROOM, 2);
      statement.execute(FanoutNode.acceptance(before.no(), 2));
      other.commit();
      confirmed.get(20, TimeUnit.SECONDS);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertEquals(2, reader.subscription.room().head()));
    assertEquals(1, reader.resets.get());
  }

  @Test
  @DisplayName("R4: a look from before the new epoch does not bring the old one back")
  void lateLook() {
    FanoutNode.Reader reader = node.reader(ROOM);
    await(new Epochs(node.testDb.db()).renew("restored"));
    await(node.hub.confirm(ROOM));
    String epoch = reader.subscription.room().epoch();

    await(node.hub.compare(node.hub.openLanes().iterator().next(), before));

    assertEquals(epoch, reader.subscription.room().epoch());
    assertEquals(1, reader.resets.get());
  }
}
