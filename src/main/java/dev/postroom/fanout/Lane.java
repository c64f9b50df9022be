package dev.postroom.fanout;

import dev.postroom.protocol.EncodedBody;
import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.Room;
import dev.postroom.room.RoomMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One room on this node: its last seq, its newest messages, its subscribers; pure.
 *
 * <p>Emits n+1 only after n (N3): a message that would leave a gap is not kept, only its number is,
 * and the hub reads what is missing from the log. Every method holds the lane's lock, and
 * subscribers are called inside it, so what a subscriber sees is in order and a subscription turns
 * live between two messages and never during one.
 */
final class Lane {
  private final Ring ring;
  private final Set<Subscription> subscriptions = new LinkedHashSet<>();
  private @Nullable Room room;
  private long last;
  private long known;
  private long rights;
  private long round;
  private boolean closed;
  private long idleSinceNanos;

  Lane(Ring ring, long nowNanos) {
    this.ring = ring;
    this.idleSinceNanos = nowNanos;
  }

  /**
   * Takes the room as it stands in the database, at the start and after a reset. Numbers that were
   * heard of meanwhile stay known.
   *
   * @param newest the last messages up to {@code room.head}, ascending
   */
  synchronized void open(Room room, List<RoomMessage> newest) {
    hearRights(room.rights());
    this.room = room;
    this.last = room.head();
    this.known = Math.max(known, last);
    ring.clear();
    if (closed) {
      return;
    }
    for (RoomMessage message : newest) {
      ring.add(EncodedMessage.of(room.id(), room.epoch(), message));
    }
  }

  /** As {@link #open}, when the old numbers can no longer be trusted: everyone starts afresh. */
  synchronized void reset(Room room, List<RoomMessage> newest) {
    known = 0;
    // The database may be one of before some removals, and count them again.
    rights = -1;
    open(room, newest);
    for (Subscription subscription : subscriptions) {
      subscription.reset();
    }
  }

  /**
   * Goes on behind a purge: what follows {@link #last} is not kept any more, so nothing can ever
   * continue the lane. Everyone starts afresh at the room as it stands.
   */
  synchronized void jump(Room now, List<RoomMessage> newest) {
    if (isPurgedPast(now)) {
      open(now, newest);
      for (Subscription subscription : subscriptions) {
        subscription.reset();
      }
    }
  }

  /** True if messages were purged that this lane has not emitted. */
  synchronized boolean isPurgedPast(Room now) {
    return !closed && sameNumbers(now) && now.keptFrom() > last + 1;
  }

  /**
   * Emits what continues the lane, ignores what is old.
   *
   * @return true if something is missing in between and has to be read from the log
   */
  synchronized boolean publish(Room from, List<RoomMessage> messages) {
    if (room != null && room.no() == from.no()) {
      hearRights(from.rights());
    }
    for (RoomMessage message : messages) {
      known = Math.max(known, message.seq());
      if (room == null || closed || message.seq() != last + 1 || !sameNumbers(from)) {
        continue;
      }
      EncodedMessage encoded = EncodedMessage.of(room.id(), room.epoch(), message);
      last = message.seq();
      ring.add(encoded);
      for (Subscription subscription : subscriptions) {
        subscription.live(encoded);
      }
    }
    return behind();
  }

  /** Takes what may change without a new epoch: rights, the title, what is kept. */
  synchronized void refresh(Room now) {
    if (sameNumbers(now)) {
      hearRights(now.rights());
      // A look that comes late brings nothing back that was purged.
      room = now.keptFrom() < present().keptFrom() ? room : now;
    }
  }

  /**
   * Hears that members were taken out of the room, {@code heard} of them in its life. Whoever has
   * not been asked for since gets nothing more before that: what is emitted next may be of
   * afterwards (R5).
   */
  synchronized void hearRights(long heard) {
    if (heard > rights) {
      rights = heard;
      round++;
      subscriptions.forEach(Subscription::hold);
    }
  }

  /** How often everybody had to be asked for. */
  synchronized long round() {
    return round;
  }

  /** Hears that the room has come to {@code head}; true if that is further than the lane is. */
  synchronized boolean hear(long head) {
    known = Math.max(known, head);
    return behind();
  }

  /** What was heard of up to {@code heard} is not in the log: it is forgotten. */
  synchronized void unhear(long heard) {
    known = known > heard ? known : last;
  }

  /** The last seq that was heard of. */
  synchronized long known() {
    return known;
  }

  /** True if numbers are known that were not emitted yet. */
  synchronized boolean behind() {
    return room != null && !closed && known > last;
  }

  synchronized boolean sameNumbers(Room other) {
    return room != null && room.no() == other.no() && room.epoch().equals(other.epoch());
  }

  /** False until the room was first read. */
  synchronized boolean isOpen() {
    return room != null;
  }

  /** As last read; the head is {@link #last}. */
  synchronized Room room() {
    return present();
  }

  synchronized long last() {
    return last;
  }

  /** False if the lane has ended meanwhile. */
  synchronized boolean add(Subscription subscription) {
    return !closed && subscriptions.add(subscription);
  }

  synchronized void remove(Subscription subscription, long nowNanos) {
    if (subscriptions.remove(subscription) && subscriptions.isEmpty()) {
      idleSinceNanos = nowNanos;
    }
  }

  /** The room is gone: everybody is told and nothing is emitted any more. */
  synchronized void close(LeftReason reason) {
    closed = true;
    for (Subscription subscription : subscriptions) {
      subscription.left(reason);
    }
    subscriptions.clear();
    ring.clear();
  }

  /**
   * Hears that the room of that number was closed. Not yet opened, the lane may be about to take
   * what is gone, so it ends as well: whoever wants it makes another.
   *
   * @return false if this is a later room of the name, which goes on
   */
  synchronized boolean closeUpTo(long no) {
    if (room != null && room.no() > no) {
      return false;
    }
    close(LeftReason.ROOM_CLOSED);
    return true;
  }

  /** Ends the lane if nobody has listened since {@code beforeNanos}. */
  synchronized boolean closeIfIdle(long beforeNanos) {
    if (closed || !subscriptions.isEmpty() || idleSinceNanos - beforeNanos > 0) {
      return false;
    }
    closed = true;
    ring.clear();
    return true;
  }

  /**
   * Taken out of the room of that number: in another of its name it has its own right.
   *
   * @param heard what the room's rights were raised to by this. If that is the next, nobody else
   *     has to be asked for.
   */
  synchronized void removeParticipant(long no, String participant, long heard) {
    if (room == null || room.no() != no) {
      return;
    }
    List<Subscription> gone = new ArrayList<>();
    for (Subscription subscription : subscriptions) {
      if (subscription.participant().equals(participant)) {
        gone.add(subscription);
      }
    }
    for (Subscription subscription : gone) {
      subscriptions.remove(subscription);
      subscription.left(LeftReason.REMOVED);
    }
    if (heard == rights + 1) {
      rights = heard;
    }
    hearRights(heard);
  }

  /** The reader has all there is: from here on it gets the next message itself. */
  synchronized boolean goLive(Subscription subscription) {
    return !closed && subscription.turnLive(last);
  }

  /** What follows {@code after}, if the newest messages reach back that far; otherwise null. */
  synchronized @Nullable Page recentAfter(long after, int limit, long maxBytes) {
    if (!ring.covers(after, last)) {
      return null;
    }
    return page(ring.after(after, limit, maxBytes));
  }

  /** The newest {@code limit} messages, if they are all here; otherwise null. */
  synchronized @Nullable Page recent(int limit) {
    long all = last - keptFrom() + 1;
    if (ring.size() < Math.min(limit, Math.max(all, 0))) {
      return null;
    }
    return page(ring.newest(limit));
  }

  /**
   * A page of what was read from the log. What this node has not emitted yet is left out: it comes
   * as a live message.
   */
  synchronized Page page(List<EncodedBody> bodies) {
    Room now = present();
    List<EncodedBody> kept = new ArrayList<>(bodies.size());
    for (EncodedBody body : bodies) {
      if (body.seq() <= last && body.seq() >= now.keptFrom()) {
        kept.add(body);
      }
    }
    return new Page(now.epoch(), kept, last, now.keptFrom());
  }

  private long keptFrom() {
    return present().keptFrom();
  }

  private Room present() {
    if (room == null) {
      throw new IllegalStateException("lane is not open");
    }
    return room;
  }
}
