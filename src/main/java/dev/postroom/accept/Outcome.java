package dev.postroom.accept;

import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.RoomMessage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of a {@link Submission}. Expected answers, not exceptions. */
public sealed interface Outcome {

  /**
   * Stored, now or earlier. A repeat carries the first result (A2).
   *
   * @param message without text where the text has been purged
   * @param duplicate true if an earlier copy of the command was the first
   * @param head the room's last seq as of this answer
   */
  record Accepted(RoomMessage message, boolean duplicate, long head) implements Outcome {}

  /** The key was used with other content (A3); nothing was stored. */
  record Conflict(UUID messageId, long seq) implements Outcome {}

  /** {@code ifHead} did not match; nothing was stored. */
  record StaleHead(long head) implements Outcome {}

  /**
   * Not stored as far as the caller may assume; a temporary code says that a repeat with the same
   * id finds the truth (A8).
   */
  record Refused(
      ErrorCode code, String message, @Nullable String field, @Nullable Long retryAfterMs)
      implements Outcome {}
}
