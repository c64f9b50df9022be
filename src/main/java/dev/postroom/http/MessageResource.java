package dev.postroom.http;

import dev.postroom.accept.Acceptor;
import dev.postroom.accept.Submission;
import dev.postroom.access.Role;
import dev.postroom.room.MessageLog;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Sending and reading over HTTP: the same commands and the same log as on the socket. */
@Path(RoomListResource.PATH)
@Tag(name = "Messages")
@Produces(MediaType.APPLICATION_JSON)
public class MessageResource {

  static final int PAGE = 50;
  static final int LONGEST_PAGE = 200;

  private final Acceptor acceptor;
  private final MessageLog log;
  private final RoomGate gate;
  private final Caller caller;

  MessageResource(Acceptor acceptor, MessageLog log, RoomGate gate, Caller caller) {
    this.acceptor = acceptor;
    this.log = log;
    this.gate = gate;
    this.caller = caller;
  }

  @POST
  @Path("/{room}/messages")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "sendMessage",
      summary = "Send a message, once",
      description =
          "However often it is repeated with the same key, at most one message is stored, and every"
              + " answer carries the first result. After a timeout or a temporary error simply send"
              + " the same again. The key is the socket's clientMessageId: both share one key space"
              + " per participant and room.")
  @Parameter(
      name = IdempotencyKey.HEADER,
      in = ParameterIn.HEADER,
      required = true,
      description =
          "Names the command: 1 to 128 printable ASCII characters, bare or quoted as in RFC 8941.",
      schema = @Schema(type = SchemaType.STRING),
      example = "\"8e03978e-40d5-43e8-bc93-6894a57f9324\"")
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
              schema = @Schema(type = SchemaType.BOOLEAN)),
      content = @Content(schema = @Schema(implementation = ApiSchemas.Ack.class)))
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "412", ref = "StaleHead")
  @APIResponse(responseCode = "411", ref = "LengthRequired")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "WrongMediaType")
  @APIResponse(responseCode = "422", ref = "IdConflict")
  @APIResponse(responseCode = "429", ref = "RateLimited")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Response> send(
      @PathParam("room") String room,
      @Context @Parameter(hidden = true) HttpHeaders headers,
      @Nullable Draft draft) {
    String key = IdempotencyKey.parse(headers.getRequestHeader(IdempotencyKey.HEADER));
    String text = draft == null || draft.text() == null ? "" : draft.text();
    Long ifHead = draft == null ? null : draft.ifHead();
    // One request is its own origin: nothing is kept in order between two.
    return acceptor
        .accept(new Submission(new Object(), caller.principal(), room, key, text, ifHead))
        .map(outcome -> Answers.toAccept(room, key, outcome, IdempotencyKey.HEADER));
  }

  @GET
  @Path("/{room}/messages")
  @Operation(
      operationId = "readMessages",
      summary = "Read a page of messages, ascending",
      description =
          "Without after and before the newest page. The next page towards the present begins after"
              + " the last seq, the next towards the past before the first. Pages are exact: numbers"
              + " in a room have no holes. Messages whose text was purged are not among them: a page"
              + " that begins later than after + 1 begins with the oldest that is kept. head was true"
              + " when it was read, a moment before the page.")
  @Parameter(
      name = "after",
      description =
          "Only messages with a greater seq, the oldest of them. Not together with before.",
      schema = @Schema(type = SchemaType.INTEGER, format = "int64", minimum = "0"))
  @Parameter(
      name = "before",
      description = "Only messages with a smaller seq, the newest of them.",
      schema = @Schema(type = SchemaType.INTEGER, format = "int64", minimum = "1"))
  @Parameter(
      name = "limit",
      description = "The most messages wanted.",
      schema =
          @Schema(type = SchemaType.INTEGER, minimum = "1", maximum = "200", defaultValue = "50"))
  @APIResponse(
      responseCode = "200",
      description = "The page, and the room's head as it was just before.",
      content = @Content(schema = @Schema(implementation = ApiSchemas.MessagePage.class)))
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<String> page(
      @PathParam("room") String room,
      @QueryParam("after") @Nullable String after,
      @QueryParam("before") @Nullable String before,
      @QueryParam("limit") @Nullable String limit) {
    RoomId id = RoomGate.id(room);
    Long afterSeq = Numbers.optional("after", after, 0, Numbers.ABOVE_ALL);
    Long beforeSeq = Numbers.optional("before", before, 1, Numbers.ABOVE_ALL);
    int most = Numbers.orDefault("limit", limit, 1, LONGEST_PAGE, PAGE);
    if (afterSeq != null && beforeSeq != null) {
      throw new Refusal(Problem.invalid("before", "Give after or before, not both."));
    }
    return gate.open(caller.principal(), id, Role.READER)
        .chain(
            found ->
                read(found, afterSeq, beforeSeq, most)
                    .map(messages -> Answers.page(found, messages)));
  }

  private Uni<List<RoomMessage>> read(
      Room room, @Nullable Long after, @Nullable Long before, int most) {
    if (after != null) {
      return log.after(room, after, most);
    }
    return log.before(room, before == null ? Numbers.ABOVE_ALL : before, most);
  }

  /** A message to be sent. */
  @Schema(name = "Draft")
  public record Draft(
      @Schema(
              required = true,
              description = "1 to 16,384 bytes of UTF-8; stored and returned unchanged.",
              examples = "Shall we meet at ten?")
          @Nullable String text,
      @Schema(description = "Accept only if the room's last seq is still this.", minimum = "0")
          @Nullable Long ifHead) {

    @Override
    public String toString() {
      return "Draft[ifHead=" + ifHead + "]";
    }
  }
}
