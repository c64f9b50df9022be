package dev.postroom.access;

import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;

/**
 * Decides who may do what in a room, anew at every send, join and resume (A6, R5).
 *
 * <p>Answers from the token's claims without a look at the database where they suffice. Never fails
 * for lack of a room: a room that does not exist is {@link Decision#FORBIDDEN} unless the
 * participant's claims give the right, and then it is the caller's to find that there is none.
 */
public interface RoomPolicy {

  /** At least {@code needed} in {@code room}? */
  Uni<Decision> decide(Principal principal, RoomId room, Role needed);

  /**
   * As {@link #decide(Principal, RoomId, Role)}, where everybody on this node is asked about at
   * once: members are looked up together, so that it takes few queries and other commands need not
   * wait behind them.
   */
  Uni<Decision> decideAmongMany(Principal principal, RoomId room, Role needed);

  /** At least {@code needed} in the very room that was found, whatever bears its name by now? */
  Uni<Decision> decide(Principal principal, Room room, Role needed);

  /**
   * May this participant make a room of that name on purpose, by PUT? Owners by claim may, admins,
   * and in an open run everybody. Needs no look at the database.
   */
  boolean mayCreate(Principal principal, RoomId room);
}
