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
 * @param redriven whether it is a dead letter that is to be sent once more
 */
record Head(
    RoomId room, RoomMessage message, boolean kept, @Nullable Instant deadSince, boolean redriven) {

  long seq() {
    return message.seq();
  }

  /**
   * As it leaves in its turn. A dead letter that is sent once more is late here too: its gap may
   * have arrived without anybody here knowing, and then it fills a hole.
   */
  RoomEvent event() {
    return deadSince == null || redriven
        ? new RoomEvent.Accepted(room, message, redriven)
        : new RoomEvent.Gap(room, message.epoch(), message.seq(), deadSince);
  }

  /** As it leaves out of its turn. */
  RoomEvent late() {
    return new RoomEvent.Accepted(room, message, true);
  }
}
