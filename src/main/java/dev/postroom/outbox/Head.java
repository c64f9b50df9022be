package dev.postroom.outbox;

import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored message that is next in a lane.
 *
 * @param kept whether its text is still there
 * @param deadSince since when it is a dead letter of the lane's sink, or null
 */
record Head(RoomId room, RoomMessage message, boolean kept, @Nullable Instant deadSince) {

  long seq() {
    return message.seq();
  }

  /** As it leaves in its turn. */
  RoomEvent event() {
    return deadSince == null
        ? new RoomEvent.Accepted(room, message, false)
        : new RoomEvent.Gap(room, message.epoch(), message.seq(), deadSince);
  }

  /** As it leaves out of its turn. */
  RoomEvent late() {
    return new RoomEvent.Accepted(room, message, true);
  }
}
