package dev.postroom.room;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/**
 * Keyset pages of a room's messages, always ascending by seq, only those whose text is kept (N4,
 * R6). One query a call. Safe for any thread.
 */
@ApplicationScoped
public class MessageLog {

  /** The first {@code limit} messages with a seq greater than {@code after}. */
  public Uni<List<RoomMessage>> after(Room room, long after, int limit) {
    throw new IllegalStateException("to be built");
  }

  /** The last {@code limit} messages with a seq smaller than {@code before}, ascending. */
  public Uni<List<RoomMessage>> before(Room room, long before, int limit) {
    throw new IllegalStateException("to be built");
  }
}
