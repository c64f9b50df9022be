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

  /** The room of that number was closed; there may be another of its name by now. */
  void closed(RoomId room, long no);

  /** The participant was taken out of the room of that number, which raised its rights to that. */
  void removed(RoomId room, long no, String participant, long rights);

  /** True while hints of other nodes are known to arrive. */
  boolean hearing();

  void stop();

  /** What other nodes tell. */
  interface Listener {
    void moved(RoomId room, long head);

    void closed(RoomId room, long no);

    void removed(RoomId room, long no, String participant, long rights);

    /** Hints may have been missed: everything has to be looked at. */
    void missed();
  }
}
