package dev.postroom.http;

import dev.postroom.outbox.LaneList.Place;
import dev.postroom.outbox.SinkRooms;
import dev.postroom.outbox.SinkRooms.Named;
import dev.postroom.outbox.SinkRow;
import dev.postroom.outbox.Sinks;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.Room;
import dev.postroom.room.Rooms;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sinks for administrators alone, who may be told what there is and what not.
 *
 * <p>Safe for any thread.
 */
@ApplicationScoped
class SinkGate {

  /** What the parameter of that name means, for the OpenAPI document. */
  static final String EPOCH =
      "Which of the rooms of that name, as the lists say it: also one that is closed.";

  private final Caller caller;
  private final Sinks sinks;
  private final Rooms rooms;
  private final SinkRooms sinkRooms;

  SinkGate(Caller caller, Sinks sinks, Rooms rooms, SinkRooms sinkRooms) {
    this.caller = caller;
    this.sinks = sinks;
    this.rooms = rooms;
    this.sinkRooms = sinkRooms;
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
        .failWith(
            () -> missing("There is no open room of this name; a closed one is named by epoch."))
        .map(found -> found);
  }

  /**
   * The one room of that name whose lane is meant. Where there are several, nobody is guessed: the
   * same number is another message in each (R4).
   *
   * @param epoch which one, or null where there is only one
   * @param seq the number that the call is about, or 0
   */
  Uni<Place> lane(SinkRow sink, String room, @Nullable String epoch, long seq) {
    return lane(sink, room, seq, named -> epoch == null || named.means(epoch));
  }

  Uni<Place> lane(SinkRow sink, String room, long seq, Predicate<Named> meant) {
    return sinkRooms
        .named(sink.no(), RoomGate.id(room), seq)
        .map(found -> found.stream().filter(meant).map(Named::place).toList())
        .map(SinkGate::only);
  }

  private static Place only(List<Place> found) {
    if (found.isEmpty()) {
      throw missing("There is no such lane or dead letter of this sink.");
    }
    if (found.size() > 1) {
      throw new Refusal(
          Problem.invalid(
              "epoch",
              "This sink has lanes of several rooms of this name: say by epoch which is meant, as"
                  + " lanes and dead-letters list it."));
    }
    return found.get(0);
  }

  /** Nothing there, as HTTP says it. */
  static Refusal missing(String detail) {
    return new Refusal(Problem.ofStatus(404, detail));
  }
}
