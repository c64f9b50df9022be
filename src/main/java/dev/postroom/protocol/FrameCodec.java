package dev.postroom.protocol;

/**
 * Text to frame and frame to text: the only place that knows JSON on the socket.
 *
 * <p>{@link #decode} never throws and never puts the client's text into an answer or a log.
 * Stateless; safe for any thread.
 */
public final class FrameCodec {

  private FrameCodec() {}

  /** Reads one text frame. */
  public static Decoded decode(String text) {
    throw new IllegalStateException("to be built");
  }

  /** One JSON object for the frame. */
  public static String encode(ServerFrame frame) {
    throw new IllegalStateException("to be built");
  }

  /** The message as a JSON object, once per room and not once per member (F2). */
  public static EncodedBody encode(MessageBody body) {
    throw new IllegalStateException("to be built");
  }
}
