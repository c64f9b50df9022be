package dev.postroom.http;

import dev.postroom.outbox.LaneEvents;
import dev.postroom.outbox.LaneList;
import dev.postroom.outbox.RoomEvent;
import dev.postroom.outbox.SinkRow;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.sink.Envelope;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The events of a room as a sink gets them, for a receiver that found a hole. */
@Path(SinkResource.PATH)
@Tag(name = "Sinks")
public class SinkEventResource {

  static final String NEXT = "Postroom-Next-Seq";
  static final String BATCH = "application/cloudevents-batch+json";
  private static final int PAGE = 50;
  private static final int LONGEST_PAGE = 200;

  private final SinkGate gate;
  private final LaneEvents events;
  private final Envelope envelope;

  SinkEventResource(SinkGate gate, LaneEvents events, Envelope envelope) {
    this.gate = gate;
    this.events = events;
    this.envelope = envelope;
  }

  @GET
  @Path("/{sink}/events")
  @Produces({BATCH, MediaType.APPLICATION_JSON})
  @Operation(
      operationId = "readEvents",
      summary = "Read events by number",
      description =
          "A list of CloudEvents in ascending order, the same that are delivered; in the place of a"
              + " dead letter its gap. Moves nothing. What is no longer kept is left out: the list"
              + " then begins with a higher number.")
  @Parameter(
      name = "room",
      required = true,
      description = "A room whose events the sink gets.",
      schema = @Schema(type = SchemaType.STRING))
  @Parameter(
      name = "epoch",
      description = SinkGate.EPOCH,
      schema = @Schema(type = SchemaType.STRING))
  @Parameter(
      name = "from",
      description = "The first number wanted.",
      schema = @Schema(type = SchemaType.INTEGER, minimum = "1", defaultValue = "1"))
  @Parameter(
      name = "limit",
      description = "The most events wanted.",
      schema =
          @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "200", defaultValue = "50"))
  @APIResponse(
      responseCode = "200",
      description = "The page.",
      headers =
          @Header(
              name = NEXT,
              description = "from of the next page.",
              schema = @Schema(type = SchemaType.INTEGER)),
      content =
          @Content(
              mediaType = BATCH,
              schema = @Schema(type = SchemaType.ARRAY, implementation = Object.class)))
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Response> read(
      @PathParam("sink") String id,
      @QueryParam("room") @Nullable String room,
      @QueryParam("epoch") @Nullable String epoch,
      @QueryParam("from") @Nullable String from,
      @QueryParam("limit") @Nullable String limit) {
    gate.admin();
    Long asked = Numbers.optional("from", from, 1, Numbers.ABOVE_ALL - 1);
    long first = asked == null ? 1 : asked;
    int most = Numbers.orDefault("limit", limit, 1, LONGEST_PAGE, PAGE);
    String name = SinkRules.needed("room", room);
    return gate.open(id)
        .chain(
            sink ->
                number(sink, name, epoch)
                    .chain(no -> page(sink, new RoomId(name), no, first, most)));
  }

  /** Reading what was meant otherwise harms nobody, for the events say what they are. */
  private Uni<Long> number(SinkRow sink, String room, @Nullable String epoch) {
    return epoch == null
        ? gate.room(room).map(Room::no)
        : gate.lane(sink, room, 0, named -> named.epochs().contains(epoch)).map(LaneList.Place::no);
  }

  private Uni<Response> page(SinkRow sink, RoomId room, long roomNo, long first, int most) {
    return events
        .areWanted(sink, roomNo)
        .invoke(
            wanted -> {
              if (!wanted) {
                throw SinkGate.missing("This sink does not get the events of this room.");
              }
            })
        .chain(() -> events.from(sink, room, roomNo, first, most))
        .map(page -> answer(sink, page, first));
  }

  private Response answer(SinkRow sink, List<RoomEvent> page, long first) {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    json.write('[');
    for (int i = 0; i < page.size(); i++) {
      if (i > 0) {
        json.write(',');
      }
      json.writeBytes(envelope.structured(page.get(i), sink.id()));
    }
    json.write(']');
    long next = page.isEmpty() ? first : page.get(page.size() - 1).seq() + 1;
    return Response.ok(json.toByteArray()).header(NEXT, next).build();
  }
}
