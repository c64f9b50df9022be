package dev.postroom.access;

import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;

/**
 * Decides who may do what in a room, anew at every send, join and resume (A6, R5).
 *
 * <p>Answers from the token's claims without a look at the database where they suffice. Never fails
 * for lack of a room: a room that does not exist is {@link Decision#FORBIDDEN} unless the
 * participant may create it.
 */
public interface RoomPolicy {

  /** At least {@code needed} in {@code room}? */
  Uni<Decision> decide(Principal principal, RoomId room, Role needed);
}
