package dev.postroom.session;

import dev.postroom.accept.Acceptor;
import dev.postroom.accept.Submission;
import dev.postroom.access.Principal;
import dev.postroom.protocol.ClientFrame;
import dev.postroom.protocol.Decoded;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.protocol.FrameCodec;
import dev.postroom.protocol.ServerFrame;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import org.jspecify.annotations.Nullable;

/**
 * One socket's conversation: one method per frame.
 *
 * <p>Frames are handled in the order in which they came; commands are handed to the acceptor in
 * that order and answered when they are decided. Confined to the connection's event loop.
 */
final class Session implements ClientFrame.Visitor<Uni<Void>> {
  private final Connection connection;
  private final JoinedRooms rooms;
  private final Acceptor acceptor;
  private final Identity identity;
  private final SessionConfig config;
  private final SessionMetrics metrics;
  private final Inbox inbox;
  private final SendOrder order;
  private int badFrames;
  private long seenNanos = System.nanoTime();
  private long pingedNanos = seenNanos;

  Session(
      Connection connection,
      JoinedRooms rooms,
      Acceptor acceptor,
      Identity identity,
      SessionConfig config,
      SessionMetrics metrics) {
    this.connection = connection;
    this.rooms = rooms;
    this.acceptor = acceptor;
    this.identity = identity;
    this.config = config;
    this.metrics = metrics;
    this.inbox =
        new Inbox(
            config.pendingCommands(),
            connection::answerable,
            frame -> frame.accept(this),
            failure -> connection.put(Failures.answer(failure, null, null)));
    this.order = new SendOrder(config.repeatHold().toNanos(), config.maxRooms());
  }

  Connection connection() {
    return connection;
  }

  JoinedRooms rooms() {
    return rooms;
  }

  /** The token has been verified: frames that came before it have waited. */
  void welcome() {
    connection.onRoomy(this::roomy);
    putWelcome();
    connection.badLine().isOf(identity.principal().participant());
    inbox.open();
  }

  private void roomy() {
    inbox.goOn();
    rooms.roomy();
  }

  private void putWelcome() {
    connection.put(Replies.welcome(connection.id(), identity.principal(), acceptor, config));
  }

  /** One text frame came in. */
  void received(String text) {
    seen();
    connection.arrived(text.length(), () -> handle(text));
  }

  /** A binary frame came in. */
  void receivedBinary() {
    seen();
    connection.arrived(0, () -> bad(Replies.binary()));
  }

  private void handle(String text) {
    Decoded decoded = FrameCodec.decode(text);
    if (decoded instanceof Decoded.Malformed malformed) {
      bad(Replies.toMalformed(malformed));
    } else {
      badFrames = 0;
      hear(((Decoded.Frame) decoded).frame());
    }
  }

  void seen() {
    seenNanos = System.nanoTime();
  }

  /** Looks whether the socket is still worth keeping, and asks for a sign of life. */
  void check(long nowNanos) {
    if (connection.ended()) {
      connection.dropIfOverdue(nowNanos);
      return;
    }
    if (connection.paused()) {
      // Its signs of life are not read: the silence begins when reading does.
      seenNanos = nowNanos;
    }
    long heartbeat = config.heartbeat().toNanos();
    if (identity.expired()) {
      expired();
    } else if (connection.stuckSince(nowNanos - config.progressTimeout().toNanos())) {
      connection.cut(Ending.NO_PROGRESS);
    } else if (nowNanos - seenNanos > 2 * heartbeat) {
      connection.cut(Ending.SILENT);
    } else if (nowNanos - pingedNanos > heartbeat) {
      pingedNanos = nowNanos;
      connection.ping();
    }
  }

  /** The node goes down: what has come is answered, then the socket ends (S4). */
  void drain(long withinMs, long retryAfterMs) {
    connection.put(new ServerFrame.Drain("restarting", withinMs, retryAfterMs));
    connection.arrived(0, () -> inbox.end(() -> connection.end(Ending.RESTARTING)));
  }

  void closed() {
    inbox.close();
    rooms.leaveAll();
    metrics.closed(connection.closed());
  }

  private void hear(ClientFrame frame) {
    if (connection.badLine().isOff()) {
      take(frame);
    } else {
      connection.badLine().hear(frame, this::take, this::notTaken);
    }
  }

  private void take(ClientFrame frame) {
    if (!inbox.submit(frame)) {
      notTaken(frame, inbox.ending() ? Replies.restarting(frame) : Replies.busy(frame));
    }
  }

  private void notTaken(ClientFrame frame, ServerFrame answer) {
    connection.put(answer);
    if (frame instanceof ClientFrame.Send send) {
      waitForRepeat(send, inbox.taken(), Replies.BUSY_RETRY_MS);
    }
  }

  private void bad(ServerFrame answer) {
    metrics.badFrame();
    connection.put(answer);
    if (++badFrames >= config.maxBadFrames()) {
      connection.hearNoMore();
      inbox.end(() -> connection.end(Ending.ABUSE));
    }
  }

  @Override
  public Uni<Void> join(ClientFrame.Join frame) {
    return live() ? answered(frame.room(), rooms.join(frame)) : done();
  }

  @Override
  public Uni<Void> leave(ClientFrame.Leave frame) {
    order.forget(frame.room());
    rooms.leave(frame.room());
    return done();
  }

  /** Handed to the acceptor in order; the answer is not waited for (N2). */
  @Override
  public Uni<Void> send(ClientFrame.Send frame) {
    if (!live()) {
      return done();
    }
    long place = inbox.begun();
    if (!order.admits(frame.room(), frame.clientMessageId(), place, System.nanoTime())) {
      connection.put(Replies.outOfTurn(frame));
      return done();
    }
    Submission submission =
        new Submission(
            connection,
            identity.principal(),
            frame.room(),
            frame.clientMessageId(),
            frame.text(),
            frame.ifHead());
    inbox.hold();
    (rooms.isJoined(frame.room()) ? accept(frame, submission) : refuse(frame, submission))
        .emitOn(connection::onLoop)
        .subscribe()
        .with(
            answer -> answered(frame, place, answer),
            failure ->
                answered(
                    frame, place, Failures.answer(failure, frame.room(), frame.clientMessageId())));
    return done();
  }

  private Uni<ServerFrame> accept(ClientFrame.Send frame, Submission submission) {
    return acceptor.accept(submission).map(outcome -> Replies.toSend(frame, outcome));
  }

  /** What is wrong with the frame or the right comes before "not joined" (A6). */
  private Uni<ServerFrame> refuse(ClientFrame.Send frame, Submission submission) {
    return acceptor.refusal(submission).map(refused -> Replies.toNotJoined(frame, refused));
  }

  private void answered(ClientFrame.Send frame, long place, ServerFrame answer) {
    connection.put(answer);
    inbox.release();
    if (answer instanceof ServerFrame.Error error && error.code().temporary()) {
      waitForRepeat(frame, place, error.retryAfterMs() == null ? 0 : error.retryAfterMs());
    }
  }

  /** Whether the room is joined does not matter: the join may stand before it in the inbox. */
  private void waitForRepeat(ClientFrame.Send frame, long place, long retryAfterMs) {
    String id = frame.clientMessageId();
    if (RoomId.isValid(frame.room()) && id.length() <= acceptor.maxIdLength()) {
      order.refused(frame.room(), id, place, retryAfterMs, System.nanoTime());
    }
  }

  /** A failure is told with the room that it is about. */
  private Uni<Void> answered(String room, Uni<Void> work) {
    return work.onFailure()
        .invoke(failure -> connection.put(Failures.answer(failure, room, null)))
        .onFailure()
        .recoverWithNull();
  }

  @Override
  public Uni<Void> history(ClientFrame.History frame) {
    return live() ? answered(frame.room(), rooms.history(frame)) : done();
  }

  @Override
  public Uni<Void> auth(ClientFrame.Auth frame) {
    Principal before = identity.principal();
    return identity
        .renew(frame.token())
        .emitOn(connection::onLoop)
        .invoke(problem -> renewed(before, problem))
        .replaceWithVoid();
  }

  /** A renewal is answered by a new {@code welcome}. */
  private void renewed(Principal before, @Nullable String problem) {
    if (problem != null) {
      connection.put(Replies.error(ErrorCode.UNAUTHORIZED, problem, null));
      return;
    }
    putWelcome();
    rooms.renewed(before);
  }

  @Override
  public Uni<Void> ping(ClientFrame.Ping frame) {
    connection.put(new ServerFrame.Pong());
    return done();
  }

  /** False, and the socket ends, if the token has expired: nothing is done for it any more. */
  private boolean live() {
    if (identity.expired()) {
      expired();
    }
    return !connection.ended();
  }

  private void expired() {
    if (!connection.ended()) {
      connection.put(
          Replies.error(
              ErrorCode.UNAUTHORIZED, "The token has expired; connect with a new one.", null));
      connection.end(Ending.TOKEN);
    }
  }

  private static Uni<Void> done() {
    return Uni.createFrom().voidItem();
  }
}
