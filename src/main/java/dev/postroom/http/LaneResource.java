package dev.postroom.http;

import dev.postroom.http.SinkViews.DeadLetterPage;
import dev.postroom.http.SinkViews.DeadLetterView;
import dev.postroom.http.SinkViews.LanePage;
import dev.postroom.http.SinkViews.LaneView;
import dev.postroom.outbox.LaneList;
import dev.postroom.outbox.LaneState;
import dev.postroom.outbox.SinkRow;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Where the rooms of a sink stand, and what was left out. */
@Path(SinkResource.PATH)
@Tag(name = "Sinks")
@Produces(MediaType.APPLICATION_JSON)
public class LaneResource {

  static final int PAGE = 100;
  static final int LONGEST_PAGE = 500;

  private final SinkGate gate;
  private final LaneList list;

  LaneResource(SinkGate gate, LaneList list) {
    this.gate = gate;
    this.list = list;
  }

  @GET
  @Path("/{sink}/lanes")
  @Operation(
      operationId = "listLanes",
      summary = "List the lanes of a sink",
      description = "A room that was closed and made again has two.")
  @Parameter(
      name = "state",
      description = "Only lanes in this state.",
      schema =
          @Schema(
              type = SchemaType.STRING,
              enumeration = {"idle", "ready", "delivering", "backoff", "parked"}))
  @Parameter(
      name = "after",
      description = "next of the page before.",
      schema = @Schema(type = SchemaType.STRING))
  @Parameter(
      name = "limit",
      description = "The most lanes wanted.",
      schema =
          @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "500", defaultValue = "100"))
  @APIResponse(responseCode = "200", description = "The page.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<LanePage> lanes(
      @PathParam("sink") String id,
      @QueryParam("state") @Nullable String state,
      @QueryParam("after") @Nullable String after,
      @QueryParam("limit") @Nullable String limit) {
    gate.admin();
    LaneState wanted = state == null ? null : state(state);
    Long behind = Numbers.optional("after", after, 0, Numbers.ABOVE_ALL);
    int most = Numbers.orDefault("limit", limit, 1, LONGEST_PAGE, PAGE);
    return gate.open(id)
        .chain(
            sink ->
                list.lanes(sink.no(), wanted, behind == null ? 0 : behind, most)
                    .map(rows -> page(sink, rows, most)));
  }

  private static LanePage page(SinkRow sink, List<LaneList.LaneRow> rows, int most) {
    return new LanePage(
        rows.stream().map(row -> LaneView.of(sink, row)).toList(),
        rows.size() < most ? null : String.valueOf(rows.get(most - 1).place().no()));
  }

  private static LaneState state(String word) {
    return Arrays.stream(LaneState.values())
        .filter(state -> state.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new Refusal(
                    Problem.invalid(
                        "state",
                        "state must be one of "
                            + Arrays.stream(LaneState.values())
                                .map(LaneState::word)
                                .collect(Collectors.joining(", "))
                            + ".")));
  }

  @GET
  @Path("/{sink}/dead-letters")
  @Operation(
      operationId = "listDeadLetters",
      summary = "List the events that were left out, with reasons")
  @Parameter(
      name = "after",
      description = "next of the page before.",
      schema = @Schema(type = SchemaType.STRING))
  @Parameter(
      name = "limit",
      description = "The most dead letters wanted.",
      schema =
          @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "500", defaultValue = "100"))
  @APIResponse(responseCode = "200", description = "The page.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<DeadLetterPage> deadLetters(
      @PathParam("sink") String id,
      @QueryParam("after") @Nullable String after,
      @QueryParam("limit") @Nullable String limit) {
    gate.admin();
    String[] behind = after == null || after.isEmpty() ? new String[] {"0", "0"} : parts(after);
    long room = Numbers.needed("after", behind[0]);
    long seq = Numbers.needed("after", behind[1]);
    int most = Numbers.orDefault("limit", limit, 1, LONGEST_PAGE, PAGE);
    return gate.open(id)
        .chain(sink -> list.deadLetters(sink.no(), room, seq, most))
        .map(rows -> page(rows, most));
  }

  private static String[] parts(String after) {
    String[] parts = after.split("-", -1);
    if (parts.length != 2) {
      throw new Refusal(Problem.invalid("after", "after must be next of the page before."));
    }
    return parts;
  }

  private static DeadLetterPage page(List<LaneList.DeadLetter> rows, int most) {
    LaneList.DeadLetter last = rows.size() < most ? null : rows.get(most - 1);
    return new DeadLetterPage(
        rows.stream().map(DeadLetterView::of).toList(),
        last == null ? null : last.place().no() + "-" + last.seq());
  }
}
