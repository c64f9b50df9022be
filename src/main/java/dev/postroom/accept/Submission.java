package dev.postroom.accept;

import dev.postroom.access.Principal;
import org.jspecify.annotations.Nullable;

/**
 * One command as it came in, over whichever transport; nothing about it is checked yet.
 *
 * @param origin what the order of commands is kept for: one socket, or one HTTP request
 * @param ifHead accept only if the room's last seq is still this
 */
public record Submission(
    Object origin,
    Principal principal,
    String room,
    String clientMessageId,
    String text,
    @Nullable Long ifHead) {

  /** Without the text: submissions are logged, bodies are not. */
  @Override
  public String toString() {
    return "Submission[room=" + room + ", clientMessageId=" + clientMessageId + "]";
  }
}
