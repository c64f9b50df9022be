package dev.postroom.fanout;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Room to lane of subscribers, on this node and, by hints, on the others. */
@ApplicationScoped
public class Hub {

  /**
   * Announces what has just been committed. Cannot fail the send: a lost wake-up is repaired from
   * the log.
   *
   * @param room as of after the commit
   * @param messages fresh ones only, ascending by seq
   */
  public void publish(Room room, List<RoomMessage> messages) {
    throw new IllegalStateException("to be built");
  }

  /** The room was closed: every subscriber is told {@code room_closed}, on every node. */
  public void closed(RoomId room) {
    throw new IllegalStateException("to be built");
  }

  /** The participant lost the room: its subscribers are told {@code removed}, on every node. */
  public void removed(RoomId room, String participant) {
    throw new IllegalStateException("to be built");
  }
}
