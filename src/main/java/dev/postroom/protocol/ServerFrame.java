package dev.postroom.protocol;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the server says. Turned into text by {@link FrameCodec#encode(ServerFrame)} alone. */
public sealed interface ServerFrame {

  /**
   * The first frame of every socket.
   *
   * @param protocol {@link Subprotocol#V1}
   * @param connection an id for logs and support
   * @param heartbeatMs how often the server pings; twice this without a sign of life is a dead
   *     socket
   */
  record Welcome(
      String protocol,
      String connection,
      MessageBody.Author participant,
      Limits limits,
      long heartbeatMs,
      @Nullable Instant tokenExpiresAt)
      implements ServerFrame {}

  /**
   * @param textBytes longest text, in bytes of UTF-8
   * @param idLength longest {@code clientMessageId}, in characters
   * @param pendingCommands unanswered frames of one socket; over it {@code busy}
   * @param snapshot messages in a snapshot
   * @param delta missed messages up to which a resume is answered by delta
   */
  record Limits(int textBytes, int idLength, int pendingCommands, int snapshot, int delta) {}

  /** Replace the view; the cursor is now {epoch, after}. */
  record Snapshot(
      String room, String epoch, long after, List<EncodedBody> messages, boolean earlier)
      implements ServerFrame {}

  /** Append to the view; the cursor is now {epoch, after}. */
  record Delta(String room, String epoch, long after, List<EncodedBody> messages, boolean more)
      implements ServerFrame {}

  /** One live event. */
  record Message(String room, String epoch, EncodedBody body) implements ServerFrame {}

  record Ack(
      String room,
      String clientMessageId,
      String messageId,
      String epoch,
      long seq,
      Instant acceptedAt,
      boolean duplicate,
      long head)
      implements ServerFrame {}

  record History(String room, String epoch, List<EncodedBody> messages, boolean earlier)
      implements ServerFrame {}

  record Left(String room, LeftReason reason) implements ServerFrame {}

  record Drain(String reason, long withinMs, long retryAfterMs) implements ServerFrame {}

  record Pong() implements ServerFrame {}

  record Error(
      ErrorCode code,
      String message,
      @Nullable String room,
      @Nullable String clientMessageId,
      @Nullable Long retryAfterMs,
      @Nullable String messageId,
      @Nullable Long seq,
      @Nullable Long head,
      @Nullable String field)
      implements ServerFrame {

    public static Error of(ErrorCode code, String message) {
      return new Error(code, message, null, null, null, null, null, null, null);
    }
  }

  /** Why a room was left. */
  enum LeftReason {
    REQUESTED("requested"),
    REMOVED("removed"),
    ROOM_CLOSED("room_closed");

    private final String wire;

    LeftReason(String wire) {
      this.wire = wire;
    }

    public String wire() {
      return wire;
    }
  }
}
