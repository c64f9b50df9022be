package dev.postroom.session;

import dev.postroom.accept.Acceptor;
import dev.postroom.accept.Outcome;
import dev.postroom.access.Principal;
import dev.postroom.protocol.ClientFrame;
import dev.postroom.protocol.Decoded;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.protocol.MessageBody;
import dev.postroom.protocol.ServerFrame;
import dev.postroom.protocol.Subprotocol;
import org.jspecify.annotations.Nullable;

/** What the socket answers to whom; pure. */
final class Replies {

  /** When a full window is worth another try, in milliseconds. */
  static final long BUSY_RETRY_MS = 100;

  private static final long RESTART_RETRY_MS = 1_000;

  private Replies() {}

  static ServerFrame welcome(
      String connection, Principal principal, Acceptor acceptor, SessionConfig config) {
    return new ServerFrame.Welcome(
        Subprotocol.V1,
        connection,
        new MessageBody.Author(principal.participant(), principal.name()),
        new ServerFrame.Limits(
            acceptor.maxTextBytes(),
            acceptor.maxIdLength(),
            config.pendingCommands(),
            config.snapshotMessages(),
            config.deltaMessages()),
        config.heartbeat().toMillis(),
        principal.expiresAt());
  }

  static ServerFrame toSend(ClientFrame.Send frame, Outcome outcome) {
    if (outcome instanceof Outcome.Accepted accepted) {
      var message = accepted.message();
      return new ServerFrame.Ack(
          frame.room(),
          frame.clientMessageId(),
          message.messageId().toString(),
          message.epoch(),
          message.seq(),
          message.acceptedAt(),
          accepted.duplicate(),
          accepted.head());
    }
    if (outcome instanceof Outcome.Conflict conflict) {
      return new ServerFrame.Error(
          ErrorCode.ID_CONFLICT,
          "This clientMessageId was used with other content; a new text needs a new id.",
          frame.room(),
          frame.clientMessageId(),
          null,
          conflict.messageId().toString(),
          conflict.seq(),
          null,
          null);
    }
    if (outcome instanceof Outcome.StaleHead stale) {
      return new ServerFrame.Error(
          ErrorCode.STALE_HEAD,
          "Others wrote since; read up to head, then send again.",
          frame.room(),
          frame.clientMessageId(),
          null,
          null,
          null,
          stale.head(),
          "ifHead");
    }
    Outcome.Refused refused = (Outcome.Refused) outcome;
    return new ServerFrame.Error(
        refused.code(),
        refused.message(),
        frame.room(),
        frame.clientMessageId(),
        refused.retryAfterMs(),
        null,
        null,
        null,
        refused.field());
  }

  /**
   * @param refused what is wrong besides, which comes first (A6), or null
   */
  static ServerFrame toNotJoined(ClientFrame.Send frame, Outcome.@Nullable Refused refused) {
    return refused == null
        ? notJoined(frame.room(), frame.clientMessageId())
        : toSend(frame, refused);
  }

  static ServerFrame toMalformed(Decoded.Malformed malformed) {
    return new ServerFrame.Error(
        malformed.code(),
        malformed.message(),
        malformed.room(),
        malformed.clientMessageId(),
        null,
        null,
        null,
        null,
        malformed.field());
  }

  static ServerFrame binary() {
    return error(ErrorCode.BAD_FRAME, "Frames are text: one JSON object each.", null);
  }

  static ServerFrame error(ErrorCode code, String message, @Nullable String room) {
    return error(code, message, room, null, null);
  }

  static ServerFrame error(
      ErrorCode code,
      String message,
      @Nullable String room,
      @Nullable String clientMessageId,
      @Nullable Long retryAfterMs) {
    return new ServerFrame.Error(
        code, message, room, clientMessageId, retryAfterMs, null, null, null, null);
  }

  static ServerFrame invalid(String field, String message, @Nullable String room) {
    return new ServerFrame.Error(
        ErrorCode.INVALID, message, room, null, null, null, null, null, field);
  }

  static ServerFrame notJoined(String room, @Nullable String clientMessageId) {
    return error(ErrorCode.NOT_JOINED, "Join the room first.", room, clientMessageId, null);
  }

  static ServerFrame forbidden(String room, @Nullable String clientMessageId) {
    return error(
        ErrorCode.FORBIDDEN,
        "No such room, or no right to it; ask its owner.",
        room,
        clientMessageId,
        null);
  }

  /** Members were taken out of the room, and this one is still being asked for. */
  static ServerFrame rightUnknown(String room) {
    return error(
        ErrorCode.BUSY,
        "The right to read the room is being looked up; ask again.",
        room,
        null,
        BUSY_RETRY_MS);
  }

  /** The window is full: the frame was not looked at. */
  static ServerFrame busy(ClientFrame frame) {
    return frame.accept(
        new NotTaken(
            ErrorCode.BUSY,
            "Too many unanswered frames on this socket; wait for answers, then send again.",
            BUSY_RETRY_MS));
  }

  /** The socket is about to end: the frame was not looked at. */
  static ServerFrame restarting(ClientFrame frame) {
    return frame.accept(
        new NotTaken(
            ErrorCode.UNAVAILABLE,
            "This node is restarting; connect again and send it again.",
            RESTART_RETRY_MS));
  }

  /** The fault mode wants it so: the frame was not looked at. */
  static ServerFrame drilled(ClientFrame frame, ErrorCode code) {
    return frame.accept(
        new NotTaken(code, "The fault mode refuses it; send again.", BUSY_RETRY_MS));
  }

  /** An earlier command has to be repeated first. */
  static ServerFrame outOfTurn(ClientFrame.Send frame) {
    return error(
        ErrorCode.BUSY,
        "An earlier command of this room was refused for the moment; send that one again first.",
        frame.room(),
        frame.clientMessageId(),
        BUSY_RETRY_MS);
  }

  /** Whatever the frame wanted, it was not looked at. */
  private record NotTaken(ErrorCode code, String message, long retryAfterMs)
      implements ClientFrame.Visitor<ServerFrame> {

    private ServerFrame answer(@Nullable String room, @Nullable String clientMessageId) {
      return error(code, message, room, clientMessageId, retryAfterMs);
    }

    @Override
    public ServerFrame join(ClientFrame.Join frame) {
      return answer(frame.room(), null);
    }

    @Override
    public ServerFrame leave(ClientFrame.Leave frame) {
      return answer(frame.room(), null);
    }

    @Override
    public ServerFrame send(ClientFrame.Send frame) {
      return answer(frame.room(), frame.clientMessageId());
    }

    @Override
    public ServerFrame history(ClientFrame.History frame) {
      return answer(frame.room(), null);
    }

    @Override
    public ServerFrame auth(ClientFrame.Auth frame) {
      return answer(null, null);
    }

    @Override
    public ServerFrame ping(ClientFrame.Ping frame) {
      return answer(null, null);
    }
  }
}
