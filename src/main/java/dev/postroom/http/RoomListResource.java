package dev.postroom.http;

import dev.postroom.access.RoomDirectory;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomSummaries;
import dev.postroom.room.RoomSummaries.Newest;
import dev.postroom.room.RoomSummaries.RoomSummary;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
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
  private final RoomSummaries summaries;
  private final Caller caller;

  RoomListResource(RoomDirectory directory, RoomSummaries summaries, Caller caller) {
    this.directory = directory;
    this.summaries = summaries;
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
        // One that was closed in between is left out.
        .chain(summaries::of)
        .map(found -> new RoomPage(found.stream().map(ListedRoom::of).toList()));
  }

  private static void checkAfter(String after) {
    if (!RoomId.isValid(after)) {
      throw new Refusal(Problem.invalid("after", "after must be " + RoomId.RULE + "."));
    }
  }

  /** Rooms in ascending order of their ids. */
  @Schema(name = "RoomPage")
  public record RoomPage(@Schema(required = true) List<ListedRoom> rooms) {}

  /** A room as of this answer, with its last message. */
  @Schema(name = "ListedRoom")
  public record ListedRoom(
      @Schema(required = true, examples = "case-7") String room,
      @Schema(required = true, description = "Opaque; numbers are comparable within one epoch.")
          String epoch,
      @Schema(required = true, description = "The last seq; 0 in an empty room.") long head,
      @Schema(examples = "Case 7") @Nullable String title,
      @Schema(description = "Missing in an empty room, and where its text is not kept any more.")
          @Nullable LastMessage last) {

    static ListedRoom of(RoomSummary summary) {
      var room = summary.room();
      return new ListedRoom(
          room.id().value(),
          room.epoch(),
          room.head(),
          room.title(),
          LastMessage.ofNullable(summary.newest()));
    }
  }

  /** The last message of a room, for a list. */
  @Schema(name = "LastMessage")
  public record LastMessage(
      @Schema(required = true) long seq,
      @Schema(required = true) ApiSchemas.Author author,
      @Schema(required = true, description = "Its first 160 characters.") String excerpt,
      @Schema(required = true, description = "UTC, milliseconds.") String acceptedAt) {

    static @Nullable LastMessage ofNullable(@Nullable Newest newest) {
      return newest == null
          ? null
          : new LastMessage(
              newest.seq(),
              new ApiSchemas.Author(newest.participant(), newest.authorName()),
              newest.excerpt(),
              Instants.text(newest.acceptedAt()));
    }

    /** Without the text: messages are logged, bodies are not. */
    @Override
    public String toString() {
      return "LastMessage[seq=" + seq + "]";
    }
  }
}
