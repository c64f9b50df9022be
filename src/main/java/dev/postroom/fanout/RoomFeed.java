package dev.postroom.fanout;

import dev.postroom.room.RoomId;

/**
 * How nodes tell each other that a room has moved on.
 *
 * <p>Hints may be lost, repeated and late; the hub's sweep finds whatever they miss. Telling never
 * fails and never waits.
 */
interface RoomFeed {

  /** Starts listening; {@code listener} is called on any thread. */
  void start(Listener listener);

  /** The room has come to {@code head}. */
  void moved(RoomId room, long head);

  void closed(RoomId room);

  void removed(RoomId room, String participant);

  /** True while hints of other nodes are known to arrive. */
  boolean hearing();

  void stop();

  /** What other nodes tell. */
  interface Listener {
    void moved(RoomId room, long head);

    void closed(RoomId room);

    void removed(RoomId room, String participant);

    /** Hints may have been missed: everything has to be looked at. */
    void missed();
  }
}
