package dev.postroom.ops;

import dev.postroom.access.Role;
import dev.postroom.http.Caller;
import dev.postroom.http.Problem;
import dev.postroom.http.Refusal;
import dev.postroom.http.RoomGate;
import dev.postroom.protocol.ErrorCode;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * The audit of a room for whoever may read it.
 *
 * <p>Below the same path as the other resources of rooms, else another method than GET would be
 * looked for among theirs and not found.
 */
@Path("/api/rooms")
@Tag(name = "Rooms")
@Produces(MediaType.APPLICATION_JSON)
class AuditResource {
  /** An audit takes seconds where it takes long. */
  private static final long BUSY_RETRY_MS = 5_000;

  private final Audit audit;
  private final RoomGate gate;
  private final Caller caller;

  AuditResource(Audit audit, RoomGate gate, Caller caller) {
    this.audit = audit;
    this.gate = gate;
    this.caller = caller;
  }

  @GET
  @Path("/{room}/audit")
  @Operation(
      operationId = "auditRoom",
      summary = "Prove a room from its tables",
      description =
          "Counts whether numbers are dense, keys unique, the outbox complete and kept texts there,"
              + " and says where the hand-over to every sink stands, as of one moment, also while"
              + " the room is written to. `clean` is the verdict, `sentence` the report in one"
              + " line.")
  @APIResponse(
      responseCode = "200",
      description = "The report.",
      content = @Content(schema = @Schema(implementation = AuditReport.class)))
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<AuditReport> audit(@PathParam("room") String room) {
    RoomId id = RoomGate.id(room);
    return gate.open(caller.principal(), id, Role.READER)
        .chain(audit::of)
        .onItem()
        .ifNull()
        .failWith(() -> RoomGate.forbidden(id))
        .map(report -> report)
        .onFailure(AuditsBusy.class)
        .transform(AuditResource::busy);
  }

  private static Refusal busy(Throwable busy) {
    return new Refusal(
        Problem.of(ErrorCode.BUSY, busy.getMessage() + ".").withRetryAfter(BUSY_RETRY_MS));
  }
}
