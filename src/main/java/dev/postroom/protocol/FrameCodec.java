package dev.postroom.protocol;

/**
 * Text to frame and frame to text: the front door of what the socket says.
 *
 * <p>{@link #decode} never throws and never puts the client's text into an answer or a log; what it
 * reads is well-typed but not yet checked against field rules. Stateless; safe for any thread.
 */
public final class FrameCodec {

  private FrameCodec() {}

  /**
   * Reads one text frame. Unknown fields are ignored, an optional field may be null, and the order
   * of the fields does not matter.
   */
  public static Decoded decode(String text) {
    return new FrameReader().read(text);
  }

  /** One JSON object for the frame; fields that are null are left out. */
  public static String encode(ServerFrame frame) {
    return FrameWriter.write(frame);
  }

  /** The message as a JSON object, once per room and not once per member (F2). */
  public static EncodedBody encode(MessageBody body) {
    return FrameWriter.write(body);
  }
}
