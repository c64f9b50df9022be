package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.MessageLog;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import dev.postroom.testkit.TestDb;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Two nodes on one database; one tells of a room late, when the other's readers are already in the
 * next room of the name.
 */
class LateHintTest {
  private static final RoomId ROOM = new RoomId("again");
  private static final RoomId SIGN = new RoomId("sign");

  private EmbeddedPg.Database database;
  private Node here;
  private Node there;
  private Rooms rooms;

  @BeforeEach
  void start() {
    database = EmbeddedPg.freshDatabase();
    here = new Node(database);
    there = new Node(database);
    rooms = new Rooms(here.testDb.db());
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(there.feed::hearing);
  }

  @AfterEach
  void stop() {
    here.close();
    there.close();
  }

  @Test
  @DisplayName("R4: word that a room was closed does not end the next of its name elsewhere")
  void closedAndMadeAgain() {
    Room first = await(rooms.create(ROOM, null, null));
    makeAgain();
    Reader reader = there.reader(ROOM);

    here.hub.closed(first);
    awaitSign();
    assertEquals(List.of(), reader.left);

    here.hub.closed(await(rooms.find(ROOM)));
    reader.awaitLeft(LeftReason.ROOM_CLOSED);
  }

  @Test
  @DisplayName("R4, R5: word of a removal does not concern the next room of the name elsewhere")
  void removedAndMadeAgain() {
    Room first = await(rooms.create(ROOM, null, null));
    makeAgain();
    Reader reader = there.reader(ROOM);

    here.hub.removed(first, "p");
    awaitSign();
    assertEquals(List.of(), reader.left);

    here.hub.removed(await(rooms.find(ROOM)), "p");
    reader.awaitLeft(LeftReason.REMOVED);
  }

  @Test
  @DisplayName("R4: word that the newer room was closed ends a lane of the older one too")
  void olderLane() {
    await(rooms.create(ROOM, null, null));
    Reader reader = there.reader(ROOM);
    makeAgain();
    here.hub.closed(await(rooms.find(ROOM)));
    reader.awaitLeft(LeftReason.ROOM_CLOSED);
  }

  private void makeAgain() {
    database.execute("UPDATE room SET closed_at = now() WHERE id = '" + ROOM + "'");
    await(rooms.create(ROOM, null, null));
  }

  /** Hints keep their order: when this one has been heard, so have those before it. */
  private void awaitSign() {
    Room sign = await(rooms.create(SIGN, null, null));
    Reader reader = there.reader(SIGN);
    here.hub.closed(sign);
    reader.awaitLeft(LeftReason.ROOM_CLOSED);
  }

  private static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(20));
  }

  /** The fan-out of one node. It looks at the database by itself so seldom that hints decide. */
  private static final class Node implements AutoCloseable {
    final TestDb testDb;
    final PgRoomFeed feed;
    final Hub hub;
    final RoomSweep sweep;

    Node(EmbeddedPg.Database database) {
      SimpleMeterRegistry meters = new SimpleMeterRegistry();
      FanoutConfig config =
          new SmallRyeConfigBuilder()
              .withMapping(FanoutConfig.class)
              .withConverter(Duration.class, 200, new DurationConverter())
              .withDefaultValue("postroom.fanout.sweep-with-hints", "1H")
              .withDefaultValue("postroom.fanout.sweep-without-hints", "1H")
              .build()
              .getConfigMapping(FanoutConfig.class);
      testDb = TestDb.over(database);
      feed = new PgRoomFeed(testDb.vertx(), testDb.db(), config, meters);
      Reads reads = new Reads(new Rooms(testDb.db()), new MessageLog(testDb.db()), meters);
      hub = new Hub(reads, feed, config, meters);
      sweep = new RoomSweep(hub, reads, feed, config, testDb.vertx());
      sweep.onStart(new StartupEvent());
    }

    Reader reader(RoomId room) {
      Reader reader = new Reader();
      assertNotNull(await(hub.subscribe(room, reader)));
      return reader;
    }

    @Override
    public void close() {
      sweep.onStop(new ShutdownEvent());
      testDb.close();
    }
  }

  /** Notes why it left. */
  private static final class Reader implements Subscriber {
    final List<LeftReason> left = new CopyOnWriteArrayList<>();

    void awaitLeft(LeftReason reason) {
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !left.isEmpty());
      assertEquals(List.of(reason), left);
    }

    @Override
    public String participant() {
      return "p";
    }

    @Override
    public boolean offer(EncodedMessage message) {
      return true;
    }

    @Override
    public void behind(Subscription subscription) {}

    @Override
    public void reset(Subscription subscription) {}

    @Override
    public void left(Subscription subscription, LeftReason reason) {
      left.add(reason);
    }

    @Override
    public void recheck(Subscription subscription) {}
  }
}
