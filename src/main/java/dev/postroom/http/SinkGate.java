package dev.postroom.http;

import dev.postroom.outbox.SinkRow;
import dev.postroom.outbox.Sinks;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.Room;
import dev.postroom.room.Rooms;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Sinks for administrators alone, who may be told what there is and what not.
 *
 * <p>Safe for any thread.
 */
@ApplicationScoped
class SinkGate {

  private final Caller caller;
  private final Sinks sinks;
  private final Rooms rooms;

  SinkGate(Caller caller, Sinks sinks, Rooms rooms) {
    this.caller = caller;
    this.sinks = sinks;
    this.rooms = rooms;
  }

  /**
   * @throws Refusal unless the caller's token says that it is an administrator's
   */
  void admin() {
    if (!caller.principal().admin()) {
      throw new Refusal(
          Problem.of(ErrorCode.FORBIDDEN, "Sinks are for administrators: tokens with admin true."));
    }
  }

  /** Fails with a {@link Refusal} unless the caller may and there is such a sink. */
  Uni<SinkRow> open(String id) {
    admin();
    return sinks
        .find(id)
        .onItem()
        .ifNull()
        .failWith(() -> missing("There is no such sink."))
        .map(found -> found);
  }

  /**
   * The room of that name that is open now.
   *
   * @throws Refusal if it is no room id
   */
  Uni<Room> room(String room) {
    return rooms
        .find(RoomGate.id(room))
        .onItem()
        .ifNull()
        .failWith(() -> missing("There is no open room of this name."))
        .map(found -> found);
  }

  /** Nothing there, as HTTP says it. */
  static Refusal missing(String detail) {
    return new Refusal(Problem.ofStatus(404, detail));
  }
}
