package dev.postroom.room;

import java.time.Instant;
import java.util.UUID;

/**
 * An accepted message as stored.
 *
 * @param epoch the epoch in which it was accepted
 * @param seq its number in the room
 */
public record RoomMessage(
    UUID messageId,
    String epoch,
    long seq,
    String participant,
    String authorName,
    String clientMessageId,
    String text,
    Instant acceptedAt) {

  /** Without the text: messages are logged, bodies are not. */
  @Override
  public String toString() {
    return "RoomMessage[messageId=" + messageId + ", seq=" + seq + "]";
  }
}
