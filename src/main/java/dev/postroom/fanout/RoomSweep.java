package dev.postroom.fanout;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Keeps the hub true without relying on anybody's word: compares the heads and rights of all joined
 * rooms with the database now and then, more often while hints cannot arrive, and lets idle lanes
 * go.
 *
 * <p>Confined to one event loop timer.
 */
@ApplicationScoped
class RoomSweep implements RoomFeed.Listener {
  private static final Logger LOG = Logger.getLogger(RoomSweep.class);
  private static final int ROOMS_PER_QUERY = 1_000;

  private final Hub hub;
  private final Reads reads;
  private final RoomFeed feed;
  private final FanoutConfig config;
  private final Vertx vertx;
  private volatile boolean due;
  private volatile boolean stopped;
  private long lastNanos = System.nanoTime();

  RoomSweep(Hub hub, Reads reads, RoomFeed feed, FanoutConfig config, Vertx vertx) {
    this.hub = hub;
    this.reads = reads;
    this.feed = feed;
    this.config = config;
    this.vertx = vertx;
  }

  void onStart(@Observes StartupEvent event) {
    feed.start(this);
    tickLater();
  }

  void onStop(@Observes ShutdownEvent event) {
    stopped = true;
    feed.stop();
  }

  @Override
  public void moved(RoomId room, long head) {
    hub.movedElsewhere(room, head);
  }

  @Override
  public void closed(RoomId room, long no) {
    hub.closedHere(room, no);
  }

  @Override
  public void removed(RoomId room, long no, String participant, long rights) {
    hub.removedHere(room, no, participant, rights);
  }

  @Override
  public void missed() {
    due = true;
  }

  private void tickLater() {
    if (!stopped) {
      vertx.setTimer(Math.max(config.sweepWithoutHints().toMillis(), 1), id -> tick());
    }
  }

  private void tick() {
    if (stopped) {
      return;
    }
    long every = (feed.hearing() ? config.sweepWithHints() : config.sweepWithoutHints()).toNanos();
    boolean sweep = due || System.nanoTime() - lastNanos >= every;
    due = false;
    hub.dropIdle();
    (sweep ? sweep() : Uni.createFrom().voidItem())
        .subscribe()
        .with(
            done -> tickLater(),
            failure -> {
              LOG.debugf("Sweep of joined rooms failed: %s", failure.getMessage());
              tickLater();
            });
  }

  /** One look at all joined rooms. */
  Uni<Void> sweep() {
    lastNanos = System.nanoTime();
    List<Map<Long, OpenLane>> chunks = chunks();
    return Multi.createFrom()
        .iterable(chunks)
        .onItem()
        .transformToUniAndConcatenate(this::look)
        .collect()
        .last()
        .replaceWithVoid();
  }

  private List<Map<Long, OpenLane>> chunks() {
    List<Map<Long, OpenLane>> chunks = new ArrayList<>();
    Map<Long, OpenLane> chunk = new HashMap<>();
    for (OpenLane open : hub.openLanes()) {
      if (!open.lane.isOpen()) {
        continue;
      }
      if (chunk.size() == ROOMS_PER_QUERY) {
        chunks.add(chunk);
        chunk = new HashMap<>();
      }
      chunk.put(open.lane.room().no(), open);
    }
    if (!chunk.isEmpty()) {
      chunks.add(chunk);
    }
    return chunks;
  }

  private Uni<Void> look(Map<Long, OpenLane> chunk) {
    return reads.open(chunk.keySet()).chain(present -> compareAll(chunk, present));
  }

  private Uni<Void> compareAll(Map<Long, OpenLane> chunk, Map<Long, Room> present) {
    return Multi.createFrom()
        .iterable(chunk.entrySet())
        .onItem()
        .transformToUniAndConcatenate(
            entry ->
                hub.compare(entry.getValue(), present.get(entry.getKey()))
                    // One room's trouble does not keep the others from being looked at.
                    .onFailure()
                    .recoverWithNull())
        .collect()
        .last()
        .replaceWithVoid();
  }
}
