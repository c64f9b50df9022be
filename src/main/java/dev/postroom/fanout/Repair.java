package dev.postroom.fanout;

import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import io.micrometer.core.instrument.Counter;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.BiConsumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Brings a lane to what the database says: messages that were missed are emitted, a new epoch
 * resets everybody, a closed room ends.
 *
 * <p>Whoever disagrees with the lane is believed only by a look that begins afterwards, one at a
 * time: so a look that comes back late takes nobody back. Safe for any thread.
 */
final class Repair {
  private static final Logger LOG = Logger.getLogger(Repair.class);

  /** Messages that a lane which is behind reads at once. */
  private static final int FILL = 500;

  private final Reads reads;
  private final Pages pages;
  private final int recent;
  private final Counter resets;
  private final BiConsumer<RoomId, OpenLane> onEnd;

  /**
   * @param onEnd is told of a lane whose room is gone
   */
  Repair(
      Reads reads,
      Pages pages,
      FanoutConfig config,
      Counter resets,
      BiConsumer<RoomId, OpenLane> onEnd) {
    this.reads = reads;
    this.pages = pages;
    this.recent = Math.min(config.recentMessages(), Pages.BLOCK);
    this.resets = resets;
    this.onEnd = onEnd;
  }

  /** Compares with the database as it is from now on. */
  Uni<Void> confirm(RoomId id, OpenLane open) {
    return open.confirming.fresh(() -> look(id, open));
  }

  /** Compares with the room as read a while ago; if that disagrees, as {@link #confirm}. */
  Uni<Void> compare(OpenLane open, @Nullable Room room) {
    if (!open.lane.isOpen()) {
      return Uni.createFrom().voidItem();
    }
    return room != null && open.lane.sameNumbers(room)
        ? follow(open, room)
        : confirm(open.lane.room().id(), open);
  }

  private Uni<Void> look(RoomId id, OpenLane open) {
    return reads.room(id).chain(room -> settle(id, open, room));
  }

  private Uni<Void> settle(RoomId id, OpenLane open, @Nullable Room room) {
    if (!open.lane.isOpen()) {
      return Uni.createFrom().voidItem();
    }
    Room here = open.lane.room();
    if (room == null || room.no() != here.no()) {
      onEnd.accept(id, open);
      open.lane.close(LeftReason.ROOM_CLOSED);
      return Uni.createFrom().voidItem();
    }
    return room.epoch().equals(here.epoch())
        ? follow(open, room)
        // What was heard of meanwhile could not be told from numbers of before: look once more.
        : reset(open, room).chain(() -> look(id, open));
  }

  private Uni<Void> follow(OpenLane open, Room room) {
    return jump(open, room)
        .chain(
            () -> {
              open.lane.refresh(room);
              return open.lane.hear(room.head()) ? fill(open) : Uni.createFrom().voidItem();
            });
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

  /** The messages with which a lane begins. */
  Uni<List<RoomMessage>> newest(@Nullable Room room) {
    return room == null || room.head() == 0
        ? Uni.createFrom().item(List.of())
        : reads.before(room, room.head() + 1, recent);
  }

  /** Reads and emits what the lane has heard of but not seen. */
  Uni<Void> fill(OpenLane open) {
    return open.filling
        .share(() -> fillOnce(open))
        .chain(() -> open.lane.behind() ? fill(open) : Uni.createFrom().voidItem());
  }

  private Uni<Void> fillOnce(OpenLane open) {
    Room room = open.lane.room();
    long last = open.lane.last();
    long heard = open.lane.known();
    return reads
        .continuation(room, last, FILL)
        .chain(
            more -> {
              open.lane.hearRights(more.rights());
              open.lane.publish(room, more.messages());
              if (!open.lane.sameNumbers(room)) {
                // Read by numbers that are no more; that says nothing about what was heard since.
                return Uni.createFrom().voidItem();
              }
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

  /** For what nobody waits for. */
  static void unwaited(RoomId id, Uni<Void> mending) {
    mending
        .subscribe()
        .with(done -> {}, failure -> LOG.debugf("Room %s could not be mended; the sweep will", id));
  }
}
