package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.MessageLog;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** The fan-out of one node. It looks at the database by itself so seldom that hints decide. */
final class FanoutNode implements AutoCloseable {
  final TestDb testDb;
  final PgRoomFeed feed;
  final Hub hub;
  final RoomSweep sweep;

  FanoutNode(EmbeddedPg.Database database) {
    this(database, () -> {});
  }

  /**
   * @param onMissed runs when hints may have been missed
   */
  FanoutNode(EmbeddedPg.Database database, Runnable onMissed) {
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
    sweep =
        new RoomSweep(hub, reads, feed, config, testDb.vertx()) {
          @Override
          public void missed() {
            super.missed();
            onMissed.run();
          }
        };
    sweep.onStart(new StartupEvent());
  }

  Reader reader(RoomId room) {
    Reader reader = new Reader();
    reader.subscription = await(hub.subscribe(room, reader));
    assertNotNull(reader.subscription);
    return reader;
  }

  /** A statement that accepts the room's next message, as some other node does. */
  static String acceptance(long roomNo, long seq) {
    return """
          WITH bumped AS (UPDATE room SET head = %2$d WHERE no = %1$d)
          INSERT INTO message (room_no, seq, message_id, participant, client_message_id, author_name,
                               lineage, hash_rule, content_hash, text, accepted_at)
          SELECT %1$d, %2$d, gen_random_uuid(), 'olga', 'k%2$d', 'Olga', max(no), 1, '', 'hello', now()
          FROM lineage
          """
        .formatted(roomNo, seq);
  }

  /** A statement that takes a member out, as some other node does. */
  static String removal(long roomNo, String participant) {
    return """
        WITH gone AS (DELETE FROM member WHERE room_no = %d AND participant = '%s' RETURNING room_no)
        UPDATE room SET rights = rights + 1 FROM gone WHERE room.no = gone.room_no
        """
        .formatted(roomNo, participant);
  }

  static <T> T await(Uni<T> uni) {
    return uni.await().atMost(Duration.ofSeconds(20));
  }

  @Override
  public void close() {
    sweep.onStop(new ShutdownEvent());
    testDb.close();
  }

  /** Notes why it left. */
  static final class Reader implements Subscriber {
    final List<LeftReason> left = new CopyOnWriteArrayList<>();
    final AtomicInteger resets = new AtomicInteger();
    final AtomicInteger rechecks = new AtomicInteger();
    final List<Long> got = new CopyOnWriteArrayList<>();
    Subscription subscription;

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
      got.add(message.seq());
      return true;
    }

    @Override
    public void behind(Subscription subscription) {}

    @Override
    public void reset(Subscription subscription) {
      resets.incrementAndGet();
    }

    @Override
    public void left(Subscription subscription, LeftReason reason) {
      left.add(reason);
    }

    @Override
    public void recheck(Subscription subscription) {
      rechecks.incrementAndGet();
    }
  }
}
