package dev.postroom.bench;

/** What one client hears; called by its {@link Talk} on the socket's event loop. */
public interface Heard {

  /** The socket may be used: rooms may be joined. */
  void ready();

  /** The room has been joined; what was missed there has been handed to {@link #message}. */
  void joined(String room);

  /**
   * The command is stored.
   *
   * @param seq -1 if the peer has no numbers
   */
  void acked(String id, long seq, boolean duplicate);

  /**
   * The command is not stored.
   *
   * @param code counted by its name
   * @param retryAfterMs when to repeat it; -1: never, it is given up
   */
  void refused(String id, String code, long retryAfterMs);

  /**
   * A delivery, live or in an answer to a join.
   *
   * @param seq ascending in a room, with or without holes; -1 if the peer has no numbers
   */
  void message(String room, long seq, String id, String text);

  /** Something worth counting that is none of the above, such as an answer by snapshot. */
  void noted(String what);

  /** The socket ended, and it was not this side that wanted it. */
  void lost();
}
