package dev.postroom.fanout;

import static dev.postroom.fanout.FanoutNode.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import dev.postroom.testkit.EmbeddedPg;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A member is taken out through another node, whose word of it is late or lost. */
class RemovalElsewhereTest {
  private static final RoomId ROOM = new RoomId("room");

  private EmbeddedPg.Database database;
  private FanoutNode here;
  private FanoutNode there;
  private Room room;
  private FanoutNode.Reader reader;

  @BeforeEach
  void start() {
    database = EmbeddedPg.freshDatabase();
    here = new FanoutNode(database);
    there = new FanoutNode(database);
    room = await(new Rooms(here.testDb.db()).create(ROOM, null, "p"));
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(here.feed::hearing);
    reader = here.reader(ROOM);
    reader.subscription.sentUpTo(0);
    assertTrue(reader.subscription.goLive());
  }

  @AfterEach
  void stop() {
    here.close();
    there.close();
  }

  @Test
  @DisplayName("AUTH-05: a message accepted elsewhere after the removal waits for the right")
  void messageOfAfterwards() {
    database.execute(FanoutNode.removal(room.no(), "p"));
    database.execute(FanoutNode.acceptance(room.no(), 1));
    there.feed.moved(ROOM, 1);

    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertEquals(1, reader.subscription.room().head()));
    assertEquals(1, reader.rechecks.get());
    assertEquals(0, reader.got.size());
    assertTrue(reader.subscription.held());
  }

  @Test
  @DisplayName("R5: without any message and without the hint the sweep sees the removal")
  void lostHint() {
    database.execute(FanoutNode.removal(room.no(), "p"));
    await(here.sweep.sweep());
    assertEquals(1, reader.rechecks.get());
    await(here.sweep.sweep());
    assertEquals(1, reader.rechecks.get());
  }

  @Test
  @DisplayName("N4: between two listenings hints may have been missed, however short the pause")
  void listensAgain() {
    AtomicInteger missed = new AtomicInteger();
    FanoutNode third = new FanoutNode(database, missed::incrementAndGet);
    try {
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(third.feed::hearing);
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> missed.get() == 2);
      database.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE query LIKE '%postroom_rooms%' AND datname = current_database()"
              + " AND pid <> pg_backend_pid()");
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> missed.get() > 2);
    } finally {
      third.close();
    }
  }
}
