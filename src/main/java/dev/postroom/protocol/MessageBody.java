package dev.postroom.protocol;

import java.time.Instant;

/**
 * A message as every frame and HTTP answer shows it, without room and epoch.
 *
 * @param seq its number in the room, 1, 2, 3 …, below 2^53
 * @param acceptedAt the database's clock; for display only
 */
public record MessageBody(
    long seq,
    String messageId,
    String clientMessageId,
    Author author,
    String text,
    Instant acceptedAt) {

  /** Who wrote it: the participant's id and the name it had then. */
  public record Author(String id, String name) {}

  @Override
  public String toString() {
    return "MessageBody[seq=" + seq + ", messageId=" + messageId + "]";
  }
}
