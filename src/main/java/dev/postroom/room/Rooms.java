package dev.postroom.room;

import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The open rooms: find, make. Safe for any thread. */
@ApplicationScoped
public class Rooms {

  /** The open room of that name, or null. */
  public Uni<@Nullable Room> find(RoomId id) {
    throw new IllegalStateException("to be built");
  }

  /**
   * Makes the room if there is none; otherwise answers the present one unchanged.
   *
   * @param title at most 200 characters, or null
   */
  public Uni<Room> create(RoomId id, @Nullable String title) {
    throw new IllegalStateException("to be built");
  }

  /** The rooms of these numbers that are still open, by number: one query. */
  public Uni<Map<Long, Room>> open(Collection<Long> numbers) {
    throw new IllegalStateException("to be built");
  }
}
