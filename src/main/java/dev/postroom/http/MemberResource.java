package dev.postroom.http;

import dev.postroom.accept.RoomChanges;
import dev.postroom.access.Members;
import dev.postroom.access.Participants;
import dev.postroom.access.Role;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Members of a room. What a token's claims allow stands beside it and is not listed. */
@Path(RoomListResource.PATH)
@Tag(name = "Members")
@Produces(MediaType.APPLICATION_JSON)
public class MemberResource {

  static final int PAGE = 100;
  static final int LONGEST_PAGE = 500;

  private final Members members;
  private final RoomChanges changes;
  private final RoomGate gate;
  private final Caller caller;

  MemberResource(Members members, RoomChanges changes, RoomGate gate, Caller caller) {
    this.members = members;
    this.changes = changes;
    this.gate = gate;
    this.caller = caller;
  }

  @PUT
  @Path("/{room}/members/{participant}")
  @Consumes(MediaType.APPLICATION_JSON)
  @ResponseStatus(204)
  @Operation(
      operationId = "putMember",
      summary = "Add a member, or change its role",
      description =
          "For owners of the room. May be repeated. A room may be left without an owner: whoever may"
              + " make rooms of that name can take it by making it again.")
  @APIResponse(responseCode = "204", description = "The participant has that role.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "411", ref = "LengthRequired")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "WrongMediaType")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Void> put(
      @PathParam("room") String room,
      @PathParam("participant") String participant,
      @Nullable MemberDraft draft) {
    RoomId id = RoomGate.id(room);
    String member = participant(participant);
    Role role = RoleWords.parse("role", draft == null ? null : draft.role());
    return gate.open(caller.principal(), id, Role.OWNER)
        .chain(open -> members.put(open, member, role))
        .invoke(
            done -> {
              if (!done) {
                throw RoomGate.forbidden(id);
              }
            })
        .replaceWithVoid();
  }

  @DELETE
  @Path("/{room}/members/{participant}")
  @ResponseStatus(204)
  @Operation(
      operationId = "removeMember",
      summary = "Remove a member",
      description =
          "For owners of the room, and for the member itself. May be repeated. Its sockets in the"
              + " room are told and get nothing more of it. What its token allows by itself stays:"
              + " with such a token it may join again.")
  @APIResponse(responseCode = "204", description = "The participant is no member.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Void> remove(
      @PathParam("room") String room, @PathParam("participant") String participant) {
    RoomId id = RoomGate.id(room);
    String member = participant(participant);
    Role needed = caller.principal().participant().equals(member) ? Role.READER : Role.OWNER;
    return gate.open(caller.principal(), id, needed)
        .chain(open -> changes.remove(open, member))
        .replaceWithVoid();
  }

  @GET
  @Path("/{room}/members")
  @Operation(
      operationId = "listMembers",
      summary = "List members, by id",
      description =
          "For readers of the room. The next page begins after the last participant; a short page is"
              + " the last one.")
  @Parameter(
      name = "after",
      description = "The last participant of the page before.",
      schema = @Schema(type = SchemaType.STRING))
  @Parameter(
      name = "limit",
      description = "The most members wanted.",
      schema =
          @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "500", defaultValue = "100"))
  @APIResponse(responseCode = "200", description = "The page.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<MemberPage> list(
      @PathParam("room") String room,
      @QueryParam("after") @Nullable String after,
      @QueryParam("limit") @Nullable String limit) {
    RoomId id = RoomGate.id(room);
    int most = Numbers.orDefault("limit", limit, 1, LONGEST_PAGE, PAGE);
    if (after != null && !after.isEmpty() && !Participants.isValid(after)) {
      throw new Refusal(Problem.invalid("after", "after must be " + Participants.RULE + "."));
    }
    return gate.open(caller.principal(), id, Role.READER)
        .chain(open -> members.list(open, after == null ? "" : after, most))
        .map(page -> new MemberPage(id.value(), page.stream().map(MemberView::of).toList()));
  }

  private static String participant(String participant) {
    if (!Participants.isValid(participant)) {
      throw new Refusal(
          Problem.invalid("participant", "participant must be " + Participants.RULE + "."));
    }
    return participant;
  }

  /** What a member is to be. */
  @Schema(name = "MemberDraft")
  public record MemberDraft(
      @Schema(
              required = true,
              enumeration = {"owner", "writer", "reader"})
          @Nullable String role) {}

  /** Members in ascending order of their ids. */
  @Schema(name = "MemberPage")
  public record MemberPage(
      @Schema(required = true) String room, @Schema(required = true) List<MemberView> members) {}

  /** One member. */
  @Schema(name = "Member")
  public record MemberView(
      @Schema(required = true, examples = "anna") String participant,
      @Schema(
              required = true,
              enumeration = {"owner", "writer", "reader"})
          String role) {

    static MemberView of(Members.Member member) {
      return new MemberView(member.participant(), member.role().wire());
    }
  }
}
