package dev.postroom.protocol;

import org.jspecify.annotations.Nullable;

/** The answer of {@link FrameCodec#decode}: a frame, or what is wrong with the text. */
public sealed interface Decoded {

  record Frame(ClientFrame frame) implements Decoded {}

  /**
   * @param code {@code bad_frame} or {@code invalid}
   * @param message what is wrong and what to change; never the client's text
   * @param field the field at fault, where one is known
   * @param room the frame's room, where it could be read, so that the error can be matched
   * @param clientMessageId the frame's id, where it could be read
   */
  record Malformed(
      ErrorCode code,
      String message,
      @Nullable String field,
      @Nullable String room,
      @Nullable String clientMessageId)
      implements Decoded {}
}
