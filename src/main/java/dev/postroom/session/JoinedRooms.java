package dev.postroom.session;

import dev.postroom.access.Decision;
import dev.postroom.access.Principal;
import dev.postroom.db.Contended;
import dev.postroom.fanout.EncodedMessage;
import dev.postroom.fanout.Page;
import dev.postroom.fanout.Subscriber;
import dev.postroom.fanout.Subscription;
import dev.postroom.protocol.ClientFrame;
import dev.postroom.protocol.ServerFrame;
import dev.postroom.protocol.ServerFrame.LeftReason;
import dev.postroom.room.Cursor;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rooms that one socket has joined, and how it leaves them.
 *
 * <p>The right is looked up anew at every join (R5). A join of a joined room ends the old
 * subscription first, so it is answered again and nothing comes twice. Confined to the connection's
 * event loop, but for the {@link Subscriber} methods, which only queue or schedule.
 */
final class JoinedRooms implements Subscriber {
  private static final long RECHECK_MS = 2_000;

  /** How often a room is entered that ends before the join is answered. */
  private static final int TRIES = 5;

  private final Connection connection;
  private final RoomDoor door;
  private final SessionConfig config;
  private final SessionMetrics metrics;
  private final Map<String, Replay> joined = new HashMap<>();
  private final Identity identity;

  JoinedRooms(
      Connection connection,
      Identity identity,
      RoomDoor door,
      SessionConfig config,
      SessionMetrics metrics) {
    this.connection = connection;
    this.identity = identity;
    this.door = door;
    this.config = config;
    this.metrics = metrics;
  }

  List<Subscription> subscriptions() {
    return joined.values().stream().map(Replay::subscription).toList();
  }

  boolean isJoined(String room) {
    return joined.containsKey(room);
  }

  Uni<Void> join(ClientFrame.Join frame) {
    if (!RoomId.isValid(frame.room())) {
      connection.put(Replies.invalid("room", "room must be " + RoomId.RULE, null));
      return done();
    }
    RoomId room = new RoomId(frame.room());
    drop(frame.room());
    if (joined.size() >= config.maxRooms()) {
      connection.put(
          Replies.invalid("room", "This socket has joined as many rooms as it may.", frame.room()));
      return done();
    }
    return enter(frame, room, TRIES);
  }

  private Uni<Void> enter(ClientFrame.Join frame, RoomId room, int triesLeft) {
    return door.enter(identity.principal(), room, this)
        .emitOn(connection::onLoop)
        .chain(subscription -> entered(frame, room, subscription, triesLeft));
  }

  private Uni<Void> entered(
      ClientFrame.Join frame, RoomId room, @Nullable Subscription subscription, int triesLeft) {
    if (subscription == null) {
      connection.put(Replies.forbidden(frame.room(), null));
      return done();
    }
    if (subscription.ended() || subscription.held()) {
      // It was told why (room closed, a member removed) too early to be heard, and the room may
      // have been made again: the door knows how things are now.
      subscription.cancel();
      return triesLeft == 0
          ? Uni.createFrom().failure(new Contended("The room is being closed and made"))
          : enter(frame, room, triesLeft - 1);
    }
    if (connection.ended()) {
      subscription.cancel();
      return done();
    }
    Replay replay = new Replay(subscription, connection, config, metrics);
    joined.put(frame.room(), replay);
    return replay.answer(cursor(frame.cursor())).onFailure().invoke(() -> drop(frame.room()));
  }

  private static @Nullable Cursor cursor(ClientFrame.@Nullable Position position) {
    return position == null ? null : new Cursor(position.epoch(), position.after());
  }

  void leave(String room) {
    if (drop(room)) {
      connection.put(new ServerFrame.Left(room, LeftReason.REQUESTED));
    } else {
      connection.put(Replies.notJoined(room, null));
    }
  }

  Uni<Void> history(ClientFrame.History frame) {
    Replay replay = joined.get(frame.room());
    if (replay == null) {
      connection.put(Replies.notJoined(frame.room(), null));
      return done();
    }
    if (frame.before() < 1) {
      connection.put(Replies.invalid("before", "before is a seq, from 1 on.", frame.room()));
      return done();
    }
    int most = config.snapshotMessages();
    int limit = frame.limit() == null ? most : frame.limit();
    if (limit < 1 || limit > config.frameMessages()) {
      connection.put(
          Replies.invalid("limit", "limit is 1 to " + config.frameMessages() + ".", frame.room()));
      return done();
    }
    return replay
        .subscription()
        .before(frame.before(), limit)
        .emitOn(connection::onLoop)
        .invoke(page -> putHistory(replay.subscription(), page))
        .replaceWithVoid();
  }

  private void putHistory(Subscription subscription, Page newest) {
    String room = subscription.roomId().value();
    if (subscription.ended()) {
      connection.put(Replies.notJoined(room, null));
      return;
    }
    if (subscription.held()) {
      connection.put(Replies.rightUnknown(room));
      return;
    }
    Page page = newest.newestWithin(config.frameBytes());
    connection.put(
        new ServerFrame.History(room, page.epoch(), page.messages(), page.earlier()), page.bytes());
  }

  void leaveAll() {
    for (Replay replay : joined.values()) {
      replay.subscription().cancel();
    }
    joined.clear();
  }

  /** The mailbox has room: readers that are behind go on. */
  void roomy() {
    List<Replay> replays = new ArrayList<>(joined.values());
    for (Replay replay : replays) {
      replay.roomy();
    }
  }

  private boolean drop(String room) {
    Replay replay = joined.remove(room);
    if (replay == null) {
      return false;
    }
    replay.subscription().cancel();
    return true;
  }

  @Override
  public String participant() {
    return identity.principal().participant();
  }

  @Override
  public boolean offer(EncodedMessage message) {
    return connection.offer(message.frame(), message.bytes());
  }

  @Override
  public void behind(Subscription subscription) {
    connection.later(() -> with(subscription, Replay::behind));
  }

  @Override
  public void reset(Subscription subscription) {
    connection.later(() -> with(subscription, Replay::reset));
  }

  @Override
  public void left(Subscription subscription, LeftReason reason) {
    connection.later(() -> with(subscription, replay -> told(replay, reason)));
  }

  private void told(Replay replay, LeftReason reason) {
    String room = replay.subscription().roomId().value();
    joined.remove(room);
    connection.put(new ServerFrame.Left(room, reason));
  }

  /**
   * The token is another one: what it gives less than the last is given up (ADR 0004). Mostly it
   * gives the same, which costs no look at the database.
   */
  void renewed(Principal before) {
    if (!identity.principal().claimsAs(before)) {
      List.copyOf(joined.values()).forEach(this::lookAgain);
    }
  }

  @Override
  public void recheck(Subscription subscription) {
    connection.later(() -> with(subscription, this::lookAgain));
  }

  private void lookAgain(Replay replay) {
    long round = replay.subscription().round();
    door.mayStay(identity.principal(), replay.subscription().roomId())
        .emitOn(connection::onLoop)
        .subscribe()
        .with(
            decision -> keepOrLeave(replay, decision, round),
            failure -> connection.after(RECHECK_MS, () -> lookAgainIfJoined(replay)));
  }

  private void lookAgainIfJoined(Replay replay) {
    with(replay.subscription(), this::lookAgain);
  }

  private void keepOrLeave(Replay replay, Decision decision, long round) {
    String room = replay.subscription().roomId().value();
    if (joined.get(room) != replay) {
      return;
    }
    if (!decision.allowed()) {
      drop(room);
      connection.put(new ServerFrame.Left(room, LeftReason.REMOVED));
    } else if (replay.subscription().stays(round)) {
      replay.goOn();
    } else {
      lookAgain(replay);
    }
  }

  /** Only the subscription that is joined now counts; word of an older one comes too late. */
  private void with(Subscription subscription, Consumer<Replay> action) {
    Replay replay = joined.get(subscription.roomId().value());
    if (replay != null && replay.subscription() == subscription) {
      action.accept(replay);
    }
  }

  private static Uni<Void> done() {
    return Uni.createFrom().voidItem();
  }
}
