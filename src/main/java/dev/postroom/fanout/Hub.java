package dev.postroom.fanout;

import dev.postroom.db.Contended;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Room to lane of subscribers, on this node and, by hints, on the others.
 *
 * <p>A room has a lane while somebody reads it and for a while after. Whatever a lane misses (a
 * lost hint, a commit of another node, a gap) is read from the log. Safe for any thread.
 */
@ApplicationScoped
public class Hub {
  private final ConcurrentMap<RoomId, OpenLane> lanes = new ConcurrentHashMap<>();
  private final AtomicLong ringBytes = new AtomicLong();
  private final Reads reads;
  private final RoomFeed feed;
  private final FanoutConfig config;
  private final Pages pages;
  private final Repair repair;

  Hub(Reads reads, RoomFeed feed, FanoutConfig config, MeterRegistry meters) {
    this.reads = reads;
    this.feed = feed;
    this.config = config;
    this.pages = new Pages(reads, config.pageCacheBytes());
    this.repair =
        new Repair(reads, pages, config, meters.counter("postroom.fanout.resets"), lanes::remove);
    meters.gaugeMapSize("postroom.fanout.rooms", List.of(), lanes);
    meters.gauge("postroom.fanout.recent.bytes", ringBytes);
  }

  /**
   * Announces what has just been committed. Cannot fail the send: a lost wake-up is repaired from
   * the log.
   *
   * @param room as of after the commit
   * @param messages fresh ones only, ascending by seq
   */
  public void publish(Room room, List<RoomMessage> messages) {
    feed.moved(room.id(), room.head());
    OpenLane open = lanes.get(room.id());
    if (open == null) {
      return;
    }
    boolean behind = open.lane.publish(room, messages);
    if (open.lane.isOpen() && !open.lane.sameNumbers(room)) {
      Repair.unwaited(room.id(), confirm(room.id()));
    } else if (behind) {
      Repair.unwaited(room.id(), repair.fill(open));
    }
  }

  /** The room was closed: every subscriber is told {@code room_closed}, on every node. */
  public void closed(Room room) {
    feed.closed(room.id(), room.no());
    closedHere(room.id(), room.no());
  }

  /**
   * The participant lost the room: its subscribers are told {@code removed}, on every node.
   *
   * @param rights what the room's rights were raised to by that
   */
  public void removed(Room room, String participant, long rights) {
    feed.removed(room.id(), room.no(), participant, rights);
    removedHere(room.id(), room.no(), participant, rights);
  }

  /**
   * Gives the subscriber a place in the room, not yet live.
   *
   * @return null if there is no such room
   */
  public Uni<@Nullable Subscription> subscribe(RoomId room, Subscriber subscriber) {
    return place(room, subscriber, 3);
  }

  private Uni<@Nullable Subscription> place(RoomId room, Subscriber subscriber, int triesLeft) {
    OpenLane open = lanes.computeIfAbsent(room, this::open);
    return open.opened.chain(
        present -> {
          if (!present) {
            return Uni.createFrom().nullItem();
          }
          Subscription subscription = new Subscription(this, room, open.lane, subscriber);
          if (open.lane.add(subscription)) {
            return Uni.createFrom().item(subscription);
          }
          lanes.remove(room, open);
          return triesLeft == 0
              ? Uni.createFrom().failure(new Contended("The room is being closed and made"))
              : place(room, subscriber, triesLeft - 1);
        });
  }

  private OpenLane open(RoomId id) {
    Ring ring =
        new Ring(
            config.recentMessages(), config.recentBytes(), ringBytes, config.recentTotalBytes());
    OpenLane open = new OpenLane(new Lane(ring, System.nanoTime()));
    open.opened =
        reads
            .room(id)
            .chain(room -> repair.newest(room).invoke(messages -> open.take(room, messages)))
            .map(messages -> open.lane.isOpen())
            .onFailure()
            .invoke(() -> lanes.remove(id, open))
            .invoke(present -> dropIfAbsent(id, open, present))
            .memoize()
            .indefinitely();
    return open;
  }

  private void dropIfAbsent(RoomId id, OpenLane open, boolean present) {
    if (!present) {
      lanes.remove(id, open);
    } else if (open.lane.behind()) {
      Repair.unwaited(id, repair.fill(open));
    }
  }

  Pages pages() {
    return pages;
  }

  void cancel(Lane lane, Subscription subscription) {
    lane.remove(subscription, System.nanoTime());
  }

  /** Looks at the database, from now on, whether the room is what this node thinks it is. */
  Uni<Void> confirm(RoomId id) {
    OpenLane open = lanes.get(id);
    return open == null ? Uni.createFrom().voidItem() : repair.confirm(id, open);
  }

  /** As {@link Repair#compare}. */
  Uni<Void> compare(OpenLane open, @Nullable Room room) {
    return repair.compare(open, room);
  }

  void movedElsewhere(RoomId room, long head) {
    OpenLane open = lanes.get(room);
    if (open != null && open.lane.hear(head)) {
      Repair.unwaited(room, repair.fill(open));
    }
  }

  void closedHere(RoomId room, long no) {
    OpenLane open = lanes.get(room);
    if (open != null && open.lane.closeUpTo(no)) {
      lanes.remove(room, open);
    }
  }

  void removedHere(RoomId room, long no, String participant, long rights) {
    OpenLane open = lanes.get(room);
    if (open != null) {
      open.lane.removeParticipant(no, participant, rights);
    }
  }

  /** Ends lanes without readers. */
  void dropIdle() {
    long before = System.nanoTime() - config.linger().toNanos();
    lanes.forEach(
        (id, open) -> {
          if (open.lane.closeIfIdle(before)) {
            lanes.remove(id, open);
          }
        });
  }

  Collection<OpenLane> openLanes() {
    return lanes.values();
  }
}
