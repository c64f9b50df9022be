package dev.postroom.faults;

/** The sockets of this node, as far as drills concern them. Safe for any thread. */
public interface Sockets {

  /** How many this participant has; for the empty name, how many there are. */
  int count(String participant);

  /** Theirs are gone without a word. */
  void cut(String participant);

  /** Nothing gets through theirs in either direction for so many milliseconds. */
  void freeze(String participant, long ms);

  /** What is frozen is so no longer. */
  void thaw();

  /** What they were told last in this room they are told again. */
  void repeatDelta(String participant, String room);

  /** The epoch has moved: every joined room is looked at anew. */
  void epochMoved();
}
