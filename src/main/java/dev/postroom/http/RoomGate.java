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
 * the caller get the same answer.
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
    return policy
        .decide(caller, room, needed)
        .map(decision -> allowed(decision, room))
        .chain(() -> rooms.find(room))
        .onItem()
        .ifNull()
        .failWith(() -> forbidden(room))
        .map(found -> found);
  }

  public static Refusal forbidden(RoomId room) {
    return new Refusal(
        Problem.of(
                ErrorCode.FORBIDDEN,
                "There is no such room, or you have no right to do this in it.")
            .withRoom(room.value()));
  }

  private static Decision allowed(Decision decision, RoomId room) {
    if (!decision.allowed()) {
      throw forbidden(room);
    }
    return decision;
  }
}
