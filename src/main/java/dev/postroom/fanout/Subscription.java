package dev.postroom.fanout;

import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;

/**
 * One connection's place in one room.
 *
 * <pre>
 *   CATCHING_UP ── {@link #goLive} ──▶ LIVE
 *        ▲                              │ the subscriber's queue is full, {@link Lane#reset},
 *        └──────────────────────────────┘ or the right is to be looked up again
 *   either ── {@link #cancel}, room closed, participant removed ──▶ ENDED
 * </pre>
 *
 * <p>Nothing is buffered here: a subscription that is not live only remembers the last seq that it
 * has handed over. State is guarded by the lane's lock.
 */
public final class Subscription {

  private enum State {
    CATCHING_UP,
    LIVE,
    ENDED
  }

  private final Hub hub;
  private final RoomId roomId;
  private final Lane lane;
  private final Subscriber subscriber;
  private State state = State.CATCHING_UP;
  private long sent;
  private boolean held;

  Subscription(Hub hub, RoomId roomId, Lane lane, Subscriber subscriber) {
    this.hub = hub;
    this.roomId = roomId;
    this.lane = lane;
    this.subscriber = subscriber;
  }

  public RoomId roomId() {
    return roomId;
  }

  /** The room as this node knows it; the head is the lane's. */
  public Room room() {
    synchronized (lane) {
      Room room = lane.room();
      return new Room(
          room.no(),
          room.id(),
          room.epoch(),
          lane.last(),
          room.title(),
          room.keptFrom(),
          room.rights());
    }
  }

  /** Looks at the database whether the room is still what this node thinks it is. */
  public Uni<Void> confirm() {
    return hub.confirm(roomId);
  }

  /** What follows the last seq handed over; at least one message if there is one. */
  public Uni<Page> next(int limit, long maxBytes) {
    return hub.pages().after(lane, sent(), limit, maxBytes);
  }

  /** The newest {@code limit} messages. */
  public Uni<Page> newest(int limit) {
    return hub.pages().newest(lane, limit);
  }

  /** The last {@code limit} messages before {@code before}. */
  public Uni<Page> before(long before, int limit) {
    return hub.pages().before(lane, before, limit);
  }

  /** Everything up to {@code seq} has been handed over. */
  public void sentUpTo(long seq) {
    synchronized (lane) {
      if (state == State.LIVE && seq != sent) {
        // A snapshot that came late took the reader back: it is no longer at the live edge.
        state = State.CATCHING_UP;
      }
      sent = seq;
    }
  }

  public long sent() {
    synchronized (lane) {
      return sent;
    }
  }

  /** True if nothing is missing and live messages now go straight to the subscriber. */
  public boolean goLive() {
    return lane.goLive(this);
  }

  public boolean ended() {
    synchronized (lane) {
      return state == State.ENDED;
    }
  }

  /** True while the right is to be looked up: until then nothing may be handed over. */
  public boolean held() {
    synchronized (lane) {
      return held;
    }
  }

  /** What a look at the right that begins now will answer; for {@link #stays}. */
  public long round() {
    return lane.round();
  }

  /**
   * The right was looked up, and is there.
   *
   * @param round as {@link #round} was before the look
   * @return false if it has to be looked up once more
   */
  public boolean stays(long round) {
    synchronized (lane) {
      held = held && round < lane.round();
      return !held;
    }
  }

  public void cancel() {
    synchronized (lane) {
      state = State.ENDED;
    }
    hub.cancel(lane, this);
  }

  String participant() {
    return subscriber.participant();
  }

  void live(EncodedMessage message) {
    if (state != State.LIVE || message.seq() != sent + 1) {
      return;
    }
    if (subscriber.offer(message)) {
      sent = message.seq();
    } else {
      state = State.CATCHING_UP;
      subscriber.behind(this);
    }
  }

  boolean turnLive(long last) {
    if (state == State.CATCHING_UP && sent == last && !held) {
      state = State.LIVE;
    }
    return state == State.LIVE;
  }

  void reset() {
    if (state != State.ENDED) {
      state = State.CATCHING_UP;
      // Numbers of before mean nothing any more: only a snapshot leads back to live.
      sent = -1;
      subscriber.reset(this);
    }
  }

  void left(LeftReason reason) {
    if (state != State.ENDED) {
      state = State.ENDED;
      subscriber.left(this, reason);
    }
  }

  /** One look at a time: whoever is held already looks again by itself. */
  void hold() {
    if (state != State.ENDED && !held) {
      held = true;
      state = State.CATCHING_UP;
      subscriber.recheck(this);
    }
  }
}
