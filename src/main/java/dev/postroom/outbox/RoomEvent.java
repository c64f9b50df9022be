package dev.postroom.outbox;

import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import java.time.Instant;

/** What a sink is handed. */
public sealed interface RoomEvent {

  /**
   * The same for every attempt, from room, epoch and number, never from content (H5). Without a
   * full stop, which separates the parts of what a webhook signs.
   */
  String id();

  /** The room it belongs to. */
  RoomId room();

  /** The epoch of the number. */
  String epoch();

  /** The number in the room whose place this event takes. */
  long seq();

  /** When it came to be. */
  Instant at();

  /**
   * A message was accepted.
   *
   * @param late that the number had been left out before, and may have been reported as missing;
   *     later numbers of the room may have been handed over
   */
  record Accepted(RoomId room, RoomMessage message, boolean late) implements RoomEvent {
    @Override
    public String id() {
      return name(room) + ":" + message.epoch() + ":" + message.seq();
    }

    @Override
    public String epoch() {
      return message.epoch();
    }

    @Override
    public long seq() {
      return message.seq();
    }

    @Override
    public Instant at() {
      return message.acceptedAt();
    }
  }

  /** A number that the sink would not take is left out; it may come late. */
  record Gap(RoomId room, String epoch, long seq, Instant at) implements RoomEvent {
    @Override
    public String id() {
      return name(room) + ":" + epoch + ":" + seq + ":gap";
    }
  }

  /** Sent on demand to see whether a sink answers; belongs to no room's order. */
  record Test(String id, RoomId room, Instant at) implements RoomEvent {
    @Override
    public String epoch() {
      return "0";
    }

    @Override
    public long seq() {
      return 0;
    }
  }

  private static String name(RoomId room) {
    return room.value().replace('.', '~');
  }
}
