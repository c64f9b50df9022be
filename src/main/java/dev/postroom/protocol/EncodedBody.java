package dev.postroom.protocol;

/**
 * A {@link MessageBody} as JSON text, encoded once by {@link FrameCodec#encode(MessageBody)} and
 * pasted into every frame that carries it.
 *
 * @param json one JSON object
 * @param bytes its length in UTF-8
 */
public record EncodedBody(long seq, String json, int bytes) {
  @Override
  public String toString() {
    return "EncodedBody[seq=" + seq + ", bytes=" + bytes + "]";
  }
}
