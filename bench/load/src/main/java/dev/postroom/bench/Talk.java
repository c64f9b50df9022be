package dev.postroom.bench;

import org.jspecify.annotations.Nullable;

/** What one client says on one socket. Confined to the socket's event loop. */
public interface Talk {

  /**
   * Joins, from where the state that the socket was opened with stood in this room. Answered by
   * {@link Heard#joined} when everything missed has been heard.
   */
  void join(String room);

  /**
   * Sends a command; the same id again is a repeat. Answered by {@link Heard#acked} or {@link
   * Heard#refused}, once for each time that it is sent.
   *
   * @param text needs no escaping in JSON
   */
  void send(String room, String id, String text);

  /**
   * What the next socket of this user has to know in order to go on. Asked when this one is cut.
   */
  @Nullable Object state();
}
