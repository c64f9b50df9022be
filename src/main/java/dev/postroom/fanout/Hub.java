package dev.postroom.fanout;

import dev.postroom.db.Contended;
import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Room to lane of subscribers, on this node and, by hints, on the others.
 *
 * <p>A room has a lane while somebody reads it and for a while after. Whatever a lane misses (a
 * lost hint, a commit of another node, a gap) is read from the log. Safe for any thread.
 */
@ApplicationScoped
public class Hub {
  private static final Logger LOG = Logger.getLogger(Hub.class);

  /** Messages that a lane which is behind reads at once. */
  private static final int FILL = 500;

  private final ConcurrentMap<RoomId, OpenLane> lanes = new ConcurrentHashMap<>();
  private final AtomicLong ringBytes = new AtomicLong();
  private final Reads reads;
  private final RoomFeed feed;
  private final FanoutConfig config;
  private final Pages pages;
  private final Counter resets;

  Hub(Reads reads, RoomFeed feed, FanoutConfig config, MeterRegistry meters) {
    this.reads = reads;
    this.feed = feed;
    this.config = config;
    this.pages = new Pages(reads, config.pageCacheBytes());
    this.resets = meters.counter("postroom.fanout.resets");
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
      unwaited(room.id(), confirm(room.id()));
    } else if (behind) {
      unwaited(room.id(), fill(room.id(), open));
    }
  }

  /** The room was closed: every subscriber is told {@code room_closed}, on every node. */
  public void closed(Room room) {
    feed.closed(room.id(), room.no());
    closedHere(room.id(), room.no());
  }

  /** The participant lost the room: its subscribers are told {@code removed}, on every node. */
  public void removed(Room room, String participant) {
    feed.removed(room.id(), room.no(), participant);
    removedHere(room.id(), room.no(), participant);
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
            .chain(room -> newest(room).invoke(messages -> open.take(room, messages)))
            .map(messages -> open.lane.isOpen())
            .onFailure()
            .invoke(() -> lanes.remove(id, open))
            .invoke(present -> dropIfAbsent(id, open, present))
            .memoize()
            .indefinitely();
    return open;
  }

  private Uni<List<RoomMessage>> newest(@Nullable Room room) {
    return room == null || room.head() == 0
        ? Uni.createFrom().item(List.of())
        : reads.before(room, room.head() + 1, Math.min(config.recentMessages(), Pages.BLOCK));
  }

  private void dropIfAbsent(RoomId id, OpenLane open, boolean present) {
    if (!present) {
      lanes.remove(id, open);
    } else if (open.lane.behind()) {
      unwaited(id, fill(id, open));
    }
  }

  Pages pages() {
    return pages;
  }

  void cancel(Lane lane, Subscription subscription) {
    lane.remove(subscription, System.nanoTime());
  }

  /**
   * Compares the lane with the database and mends it: messages that were missed are emitted, a new
   * epoch resets everybody, a closed room ends.
   */
  Uni<Void> confirm(RoomId id) {
    OpenLane open = lanes.get(id);
    if (open == null) {
      return Uni.createFrom().voidItem();
    }
    return open.confirming.share(() -> reads.room(id).chain(room -> compare(id, open, room)));
  }

  /** As {@link #confirm}, with the room as just read. */
  Uni<Void> compare(RoomId id, OpenLane open, @Nullable Room room) {
    if (!open.lane.isOpen()) {
      return Uni.createFrom().voidItem();
    }
    Room here = open.lane.room();
    if (room == null || room.no() != here.no()) {
      end(id, open);
      return Uni.createFrom().voidItem();
    }
    if (!room.epoch().equals(here.epoch())) {
      return reset(open, room);
    }
    return jump(open, room).chain(() -> follow(id, open, room));
  }

  private Uni<Void> follow(RoomId id, OpenLane open, Room room) {
    open.lane.refresh(room);
    return open.lane.hear(room.head()) ? fill(id, open) : Uni.createFrom().voidItem();
  }

  private Uni<Void> reset(OpenLane open, Room room) {
    resets.increment();
    pages.forget(room.no());
    LOG.warnf("Epoch of room %s changed; its readers get snapshots", room.id());
    return newest(room).invoke(messages -> open.lane.reset(room, messages)).replaceWithVoid();
  }

  /** Does nothing unless messages were purged that the lane has not emitted. */
  private Uni<Void> jump(OpenLane open, Room room) {
    return open.lane.isPurgedPast(room)
        ? newest(room).invoke(messages -> open.lane.jump(room, messages)).replaceWithVoid()
        : Uni.createFrom().voidItem();
  }

  private void end(RoomId id, OpenLane open) {
    lanes.remove(id, open);
    open.lane.close(LeftReason.ROOM_CLOSED);
  }

  private static void unwaited(RoomId id, Uni<Void> mending) {
    mending
        .subscribe()
        .with(done -> {}, failure -> LOG.debugf("Room %s could not be mended; the sweep will", id));
  }

  /** Reads and emits what the lane has heard of but not seen. */
  private Uni<Void> fill(RoomId id, OpenLane open) {
    return open.filling
        .share(() -> fillOnce(open))
        .chain(() -> open.lane.behind() ? fill(id, open) : Uni.createFrom().voidItem());
  }

  private Uni<Void> fillOnce(OpenLane open) {
    Room room = open.lane.room();
    long last = open.lane.last();
    long heard = open.lane.known();
    return reads
        .after(room, last, FILL)
        .chain(
            messages -> {
              open.lane.publish(room, messages);
              return open.lane.last() > last ? Uni.createFrom().voidItem() : missed(open, heard);
            });
  }

  /** Heard of but not in the log: it never was there, or it was purged before it was read. */
  private Uni<Void> missed(OpenLane open, long heard) {
    open.lane.unhear(heard);
    return reads
        .room(open.lane.room().id())
        .chain(room -> room == null ? Uni.createFrom().voidItem() : jump(open, room));
  }

  void movedElsewhere(RoomId room, long head) {
    OpenLane open = lanes.get(room);
    if (open != null && open.lane.hear(head)) {
      unwaited(room, fill(room, open));
    }
  }

  void closedHere(RoomId room, long no) {
    OpenLane open = lanes.get(room);
    if (open != null && open.lane.closeUpTo(no)) {
      lanes.remove(room, open);
    }
  }

  void removedHere(RoomId room, long no, String participant) {
    OpenLane open = lanes.get(room);
    if (open != null) {
      open.lane.removeParticipant(no, participant);
    }
  }

  /** Everything may have been missed: rights are looked up again for all who are connected. */
  void recheckAll() {
    for (OpenLane open : lanes.values()) {
      open.lane.recheck();
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

  /** A lane, and the reads on its behalf that are under way. */
  static final class OpenLane {
    final Lane lane;
    final SharedRead confirming = new SharedRead();
    final SharedRead filling = new SharedRead();
    Uni<Boolean> opened = Uni.createFrom().item(false);

    OpenLane(Lane lane) {
      this.lane = lane;
    }

    private void take(@Nullable Room room, List<RoomMessage> messages) {
      if (room != null) {
        lane.open(room, messages);
      }
    }
  }
}
