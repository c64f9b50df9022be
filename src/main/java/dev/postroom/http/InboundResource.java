package dev.postroom.http;

import dev.postroom.accept.Acceptor;
import dev.postroom.accept.Outcome;
import dev.postroom.accept.Submission;
import dev.postroom.access.Decision;
import dev.postroom.inbound.CloudEvent;
import dev.postroom.inbound.EventReader;
import dev.postroom.inbound.InboundMetrics;
import dev.postroom.inbound.InboundMetrics.Result;
import dev.postroom.inbound.Proof;
import dev.postroom.inbound.Source;
import dev.postroom.inbound.Sources;
import dev.postroom.inbound.Unfit;
import dev.postroom.protocol.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The door of other systems: one CloudEvent is one command, whose key is the event's id. Known by
 * signature or by the source's token; the token filter lets this resource alone.
 */
@Path("/api/inbound")
@Tag(name = "Inbound")
@Produces(MediaType.APPLICATION_JSON)
public class InboundResource {

  private static final String EVENT_ID = "id";

  private final Sources sources;
  private final Acceptor acceptor;
  private final InboundMetrics metrics;

  InboundResource(Sources sources, Acceptor acceptor, InboundMetrics metrics) {
    this.sources = sources;
    this.acceptor = acceptor;
    this.metrics = metrics;
  }

  @POST
  @Path("/{source}")
  @Consumes(MediaType.WILDCARD)
  @SecurityRequirement(name = ApiDocument.SIGNATURE)
  @SecurityRequirement(name = ApiDocument.SOURCE_TOKEN)
  @Operation(
      operationId = "deliverEvent",
      summary = "Deliver a CloudEvent, once",
      description =
          "The source's settings say which room, participant and text it becomes. However often the"
              + " same id is delivered, at most one message is stored, and every answer carries the"
              + " first result. Structured form, or binary form with ce-… headers and the data in"
              + " JSON.")
  @Parameter(
      name = "source",
      description = "The name of the sending system in the settings.",
      example = "bridge")
  @RequestBody(
      required = true,
      content = {
        @Content(
            mediaType = "application/cloudevents+json",
            schema = @Schema(implementation = Object.class)),
        @Content(mediaType = "application/json", schema = @Schema(implementation = Object.class))
      })
  @APIResponse(
      responseCode = "201",
      description = "Stored now.",
      content = @Content(schema = @Schema(implementation = ApiSchemas.Ack.class)))
  @APIResponse(
      responseCode = "200",
      description = "Stored earlier: a repeat. The first result.",
      headers =
          @Header(
              name = Answers.REPLAYED,
              description = "true",
              schema = @Schema(implementation = Boolean.class)),
      content = @Content(schema = @Schema(implementation = ApiSchemas.Ack.class)))
  @APIResponse(
      responseCode = "204",
      description = "Of a type that this source does not take; left alone.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "411", ref = "LengthRequired")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "WrongMediaType")
  @APIResponse(responseCode = "422", ref = "Unprocessable")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Response> deliver(
      @PathParam("source") String name,
      @Context @Parameter(hidden = true) HttpHeaders request,
      byte @Nullable [] sent) {
    byte[] body = sent == null ? new byte[0] : sent;
    Map<String, String> headers = single(request);
    Source source = sources.named(name);
    if (!source.isProvenBy(Proof.of(headers, body), Instant.now())) {
      metrics.count(Result.UNAUTHORIZED);
      return Uni.createFrom().item(unauthorized());
    }
    try {
      return deliver(source, event(headers, body));
    } catch (Unfit unfit) {
      metrics.count(Result.REFUSED);
      throw new Refusal(problem(unfit));
    }
  }

  private Uni<Response> deliver(Source source, CloudEvent event) {
    if (!source.takes(event)) {
      metrics.count(Result.IGNORED);
      return Uni.createFrom().item(Response.noContent().build());
    }
    Submission submission = source.submission(event);
    // The operator has said by the settings that this source writes to this room. A rate for each
    // participant would be none for the source, which may name any; the queue's bound paces it.
    Decision right = source.createsRooms() ? Decision.ALLOWED_AND_MAY_CREATE : Decision.ALLOWED;
    return acceptor
        .accept(submission, right)
        .invoke(this::count)
        .map(outcome -> answer(submission, outcome));
  }

  /**
   * Whoever it is has been proven, so nothing here is about the right to deliver: what is wrong is
   * this event, and the next one may be good. A bridge that reads {@code 403} would stop them all.
   */
  private static Response answer(Submission submission, Outcome outcome) {
    if (outcome instanceof Outcome.Refused refused && refused.code() == ErrorCode.FORBIDDEN) {
      throw new Refusal(
          Problem.unprocessable(
                  "room", "There is no room of this name, and this source makes none.")
              .withRoom(submission.room()));
    }
    return Answers.toAccept(submission.room(), submission.clientMessageId(), outcome, EVENT_ID);
  }

  private void count(Outcome outcome) {
    if (outcome instanceof Outcome.Accepted accepted) {
      metrics.count(accepted.duplicate() ? Result.REPEATED : Result.ACCEPTED);
    } else {
      metrics.count(Result.REFUSED);
    }
  }

  private CloudEvent event(Map<String, String> headers, byte[] body) {
    String mediaType = headers.getOrDefault("content-type", "");
    if (!EventReader.reads(mediaType)) {
      metrics.count(Result.REFUSED);
      throw new Refusal(
          Problem.ofStatus(
              415,
              "Send the event as application/cloudevents+json, or with ce-… headers and its data"
                  + " as application/json; one at a time."));
    }
    return EventReader.read(mediaType, headers, body);
  }

  private static Problem problem(Unfit unfit) {
    String field = unfit.field();
    return field == null
        ? Problem.of(ErrorCode.BAD_FRAME, unfit.detail())
        : Problem.invalid(field, unfit.detail());
  }

  /** The same for a source that is not there: nobody learns which there are. */
  private static Response unauthorized() {
    return Response.fromResponse(
            Problems.response(
                Problem.of(
                    ErrorCode.UNAUTHORIZED,
                    "There is no such source, or what was sent is neither signed with one of its"
                        + " secrets nor carries its token. Compare the clocks too.")))
        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"postroom\"")
        .build();
  }

  /** What is sent twice counts as not sent: it could be read either way. */
  private static Map<String, String> single(HttpHeaders request) {
    Map<String, String> headers = new HashMap<>();
    request
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (values.size() == 1) {
                headers.put(name.toLowerCase(Locale.ROOT), values.get(0));
              }
            });
    return headers;
  }
}
