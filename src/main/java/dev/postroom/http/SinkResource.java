package dev.postroom.http;

import dev.postroom.http.SinkViews.CreatedSink;
import dev.postroom.http.SinkViews.SinkDescription;
import dev.postroom.http.SinkViews.SinkList;
import dev.postroom.http.SinkViews.SinkView;
import dev.postroom.outbox.LaneList;
import dev.postroom.outbox.Relay;
import dev.postroom.outbox.SinkType;
import dev.postroom.outbox.SinkTypes;
import dev.postroom.outbox.Sinks;
import dev.postroom.protocol.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** Where events go: made, described, paused, deleted by administrators. */
@Path(SinkResource.PATH)
@Tag(name = "Sinks")
@Produces(MediaType.APPLICATION_JSON)
public class SinkResource {

  /** The one class path of all resources below it; see {@link RoomListResource#PATH}. */
  static final String PATH = "/api/sinks";

  private final SinkGate gate;
  private final Sinks sinks;
  private final SinkTypes types;
  private final SinkSecrets secrets;
  private final LaneList lanes;
  private final Relay relay;

  SinkResource(
      SinkGate gate,
      Sinks sinks,
      SinkTypes types,
      SinkSecrets secrets,
      LaneList lanes,
      Relay relay) {
    this.gate = gate;
    this.sinks = sinks;
    this.types = types;
    this.secrets = secrets;
    this.lanes = lanes;
    this.relay = relay;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "createSink",
      summary = "Make a sink",
      description =
          "For administrators, like all of these. From then on every message of its rooms is handed over at least once, in the order of its room. The secret is shown once and stored encrypted.")
  @APIResponse(
      responseCode = "201",
      description = "Made; Location is its address.",
      content = @Content(schema = @Schema(implementation = CreatedSink.class)))
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "411", ref = "LengthRequired")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "WrongMediaType")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Response> create(@Nullable SinkDraft draft) {
    gate.admin();
    SinkRules.Wish wish = SinkRules.check(draft);
    String type = type(draft == null ? null : draft.type(), wish.url());
    SinkSecrets.Fresh secret = secrets.fresh();
    Sinks.NewSink sink =
        new Sinks.NewSink(
            secrets.id(),
            type,
            wish.name(),
            wish.rooms(),
            wish.url(),
            wish.format(),
            wish.poison(),
            secret.sealed(),
            wish.fromBeginning(),
            wish.starts());
    return sinks
        .create(sink)
        .map(
            made -> {
              if (!made) {
                throw new Refusal(
                    Problem.of(
                        ErrorCode.INVALID,
                        "There are as many sinks as may be. Delete one, or raise"
                            + " postroom.relay.sinks."));
              }
              relay.changed();
              return Response.created(URI.create(PATH + "/" + sink.id()))
                  .entity(new CreatedSink(sink.id(), secret.text()))
                  .build();
            });
  }

  private String type(@Nullable String named, String url) {
    String name = SinkRules.needed("type", named);
    SinkType type = types.named(name);
    if (type == null) {
      throw new Refusal(
          Problem.invalid("type", "type must be one of " + String.join(", ", types.names()) + "."));
    }
    String wrong = type.wrong(url);
    if (wrong != null) {
      throw new Refusal(Problem.invalid("url", wrong));
    }
    return name;
  }

  @GET
  @Operation(operationId = "listSinks", summary = "List the sinks, the oldest first")
  @APIResponse(responseCode = "200", description = "All of them.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<SinkList> list() {
    gate.admin();
    return sinks.all().map(all -> new SinkList(all.stream().map(SinkView::of).toList()));
  }

  @GET
  @Path("/{sink}")
  @Operation(operationId = "describeSink", summary = "Describe a sink")
  @APIResponse(
      responseCode = "200",
      description = "The sink, and how many of its lanes have something to do.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<SinkDescription> describe(@PathParam("sink") String id) {
    return gate.open(id)
        .chain(
            sink ->
                Uni.combine()
                    .all()
                    .unis(lanes.counts(sink.no()), lanes.deadLetters(sink.no()))
                    .with(
                        (counts, dead) ->
                            new SinkDescription(
                                SinkView.of(sink), SinkViews.byWord(counts), dead)));
  }

  @DELETE
  @Path("/{sink}")
  @ResponseStatus(204)
  @Operation(
      operationId = "deleteSink",
      summary = "Delete a sink",
      description = "What it was still to be handed is not handed over any more.")
  @APIResponse(responseCode = "204", description = "Deleted.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Void> delete(@PathParam("sink") String id) {
    return gate.open(id)
        .chain(sink -> sinks.delete(sink.no()))
        .invoke(relay::changed)
        .replaceWithVoid();
  }
}
