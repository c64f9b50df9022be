package dev.postroom.http;

import dev.postroom.access.RoomDirectory;
import dev.postroom.http.RoomResource.RoomView;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The rooms that a caller may read. */
@Path(RoomListResource.PATH)
@Tag(name = "Rooms")
@Produces(MediaType.APPLICATION_JSON)
public class RoomListResource {

  /**
   * The one class path of all resources below it: only within one does Quarkus REST tell a wrong
   * method (405) from a wrong address (404).
   */
  static final String PATH = "/api/rooms";

  static final int PAGE = 50;
  static final int LONGEST_PAGE = 200;

  private final RoomDirectory directory;
  private final Rooms rooms;
  private final Caller caller;

  RoomListResource(RoomDirectory directory, Rooms rooms, Caller caller) {
    this.directory = directory;
    this.rooms = rooms;
    this.caller = caller;
  }

  @GET
  @Operation(
      operationId = "listRooms",
      summary = "List the rooms you may read, by id",
      description = "The next page begins after the last room's id; a short page is the last one.")
  @Parameter(
      name = "after",
      description = "The last room id of the page before.",
      schema = @Schema(type = SchemaType.STRING))
  @Parameter(
      name = "limit",
      description = "The most rooms wanted.",
      schema =
          @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "200", defaultValue = "50"))
  @APIResponse(responseCode = "200", description = "The page.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<RoomPage> list(
      @QueryParam("after") @Nullable String after, @QueryParam("limit") @Nullable String limit) {
    int most = Numbers.orDefault("limit", limit, 1, LONGEST_PAGE, PAGE);
    if (after != null && !after.isEmpty()) {
      checkAfter(after);
    }
    return directory
        .visibleTo(caller.principal(), after == null ? "" : after, most)
        .chain(
            numbers ->
                rooms
                    .open(numbers)
                    // One that was closed in between is left out.
                    .map(found -> numbers.stream().map(found::get).filter(Objects::nonNull)))
        .map(found -> new RoomPage(found.map(RoomView::of).toList()));
  }

  private static void checkAfter(String after) {
    if (!RoomId.isValid(after)) {
      throw new Refusal(Problem.invalid("after", "after must be " + RoomId.RULE + "."));
    }
  }

  /** Rooms in ascending order of their ids. */
  @Schema(name = "RoomPage")
  public record RoomPage(@Schema(required = true) List<RoomView> rooms) {}
}
