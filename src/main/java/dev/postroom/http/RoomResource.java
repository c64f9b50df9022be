package dev.postroom.http;

import dev.postroom.accept.RoomChanges;
import dev.postroom.access.Members;
import dev.postroom.access.Role;
import dev.postroom.access.RoomPolicy;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** One room: make, describe, close. */
@Path(RoomListResource.PATH)
@Tag(name = "Rooms")
@Produces(MediaType.APPLICATION_JSON)
public class RoomResource {

  private final Rooms rooms;
  private final RoomPolicy policy;
  private final Members members;
  private final RoomChanges changes;
  private final RoomGate gate;
  private final Caller caller;

  RoomResource(
      Rooms rooms,
      RoomPolicy policy,
      Members members,
      RoomChanges changes,
      RoomGate gate,
      Caller caller) {
    this.rooms = rooms;
    this.policy = policy;
    this.members = members;
    this.changes = changes;
    this.gate = gate;
    this.caller = caller;
  }

  @PUT
  @Path("/{room}")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "createRoom",
      summary = "Make a room, if there is none of that name",
      description =
          "May be repeated: a room that exists stays as it is, its title too. Whoever may make rooms"
              + " of that name becomes the owner of one that has no owner.")
  @APIResponse(responseCode = "200", description = "The room, new or not.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "411", ref = "LengthRequired")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "WrongMediaType")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<RoomView> create(@PathParam("room") String room, @Nullable RoomDraft draft) {
    RoomId id = RoomGate.id(room);
    String title = title(draft);
    if (!policy.mayCreate(caller.principal(), id)) {
      return gate.open(caller.principal(), id, Role.READER).map(RoomView::of);
    }
    String founder = caller.principal().participant();
    return rooms
        .create(id, title, founder)
        // A room that was there before may have lost its owner.
        .call(present -> members.found(present, founder))
        .map(RoomView::of);
  }

  @GET
  @Path("/{room}")
  @Operation(operationId = "describeRoom", summary = "Describe a room")
  @APIResponse(responseCode = "200", description = "The room.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<RoomView> describe(@PathParam("room") String room) {
    return gate.open(caller.principal(), RoomGate.id(room), Role.READER).map(RoomView::of);
  }

  @DELETE
  @Path("/{room}")
  @ResponseStatus(204)
  @Operation(
      operationId = "closeRoom",
      summary = "Close a room",
      description =
          "For its owners. Everybody in it is told. A room made under the name afterwards is another"
              + " room: it begins at 1, in another epoch, without members.")
  @APIResponse(responseCode = "204", description = "Closed.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Void> close(@PathParam("room") String room) {
    RoomId id = RoomGate.id(room);
    return gate.open(caller.principal(), id, Role.OWNER)
        .chain(changes::close)
        .invoke(
            closed -> {
              if (!closed) {
                throw RoomGate.forbidden(id);
              }
            })
        .replaceWithVoid();
  }

  private static @Nullable String title(@Nullable RoomDraft draft) {
    String title = draft == null ? null : draft.title();
    if (title != null && !isTitle(title)) {
      throw new Refusal(
          Problem.invalid(
              "title",
              "title must be at most "
                  + Rooms.TITLE_LENGTH
                  + " characters, without control characters."));
    }
    return title;
  }

  private static boolean isTitle(String title) {
    return title.codePointCount(0, title.length()) <= Rooms.TITLE_LENGTH
        && title
            .codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }

  /** A room to be made. */
  @Schema(name = "RoomDraft")
  public record RoomDraft(
      @Schema(description = "For display.", maxLength = 200, examples = "Case 7")
          @Nullable String title) {}

  /** A room as of this answer. */
  @Schema(name = "Room")
  public record RoomView(
      @Schema(required = true, examples = "case-7") String room,
      @Schema(required = true, description = "Opaque; numbers are comparable within one epoch.")
          String epoch,
      @Schema(required = true, description = "The last seq; 0 in an empty room.") long head,
      @Schema(examples = "Case 7") @Nullable String title) {

    static RoomView of(Room room) {
      return new RoomView(room.id().value(), room.epoch(), room.head(), room.title());
    }
  }
}
