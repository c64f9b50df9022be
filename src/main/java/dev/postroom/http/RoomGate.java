package dev.postroom.http;

import dev.postroom.access.Decision;
import dev.postroom.access.Principal;
import dev.postroom.access.Role;
import dev.postroom.access.RoomPolicy;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * A room in a path, opened for a caller who may. A room that is not there and one that is closed to
 * the caller get the same answer. The right is that in the very room that is handed on.
 */
@ApplicationScoped
public class RoomGate {

  private final RoomPolicy policy;
  private final Rooms rooms;

  RoomGate(RoomPolicy policy, Rooms rooms) {
    this.policy = policy;
    this.rooms = rooms;
  }

  /**
   * @throws Refusal if it is no room id
   */
  public static RoomId id(String room) {
    if (!RoomId.isValid(room)) {
      throw new Refusal(Problem.invalid("room", "room must be " + RoomId.RULE + "."));
    }
    return new RoomId(room);
  }

  /** Fails with a {@link Refusal} unless the room exists and the caller has the role in it. */
  public Uni<Room> open(Principal caller, RoomId room, Role needed) {
    return rooms
        .find(room)
        .chain(
            found ->
                found == null
                    ? noRoom(caller, room, needed)
                    : policy
                        .decide(caller, found, needed)
                        .map(decision -> allowed(decision, found)));
  }

  /** Asks for the right nevertheless: the time it takes is not to tell what the answer does not. */
  private Uni<Room> noRoom(Principal caller, RoomId room, Role needed) {
    return policy
        .decide(caller, room, needed)
        .chain(() -> Uni.createFrom().failure(forbidden(room)));
  }

  public static Refusal forbidden(RoomId room) {
    return new Refusal(
        Problem.of(
                ErrorCode.FORBIDDEN,
                "There is no such room, or you have no right to do this in it.")
            .withRoom(room.value()));
  }

  private static Room allowed(Decision decision, Room room) {
    if (!decision.allowed()) {
      throw forbidden(room.id());
    }
    return room;
  }
}
