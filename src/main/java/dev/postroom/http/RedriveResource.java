package dev.postroom.http;

import dev.postroom.http.SinkViews.Redriven;
import dev.postroom.http.SinkViews.RedrivenLanes;
import dev.postroom.outbox.Redrive;
import dev.postroom.protocol.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.function.BiFunction;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Takes up again what stands; each wish is fulfilled once, and who repeats it is told. */
@Path(SinkResource.PATH)
@Tag(name = "Sinks")
@Produces(MediaType.APPLICATION_JSON)
public class RedriveResource {

  private final SinkGate gate;
  private final Redrive redrive;

  RedriveResource(SinkGate gate, Redrive redrive) {
    this.gate = gate;
    this.redrive = redrive;
  }

  @POST
  @Path("/{sink}/lanes/{room}/redrive")
  @Operation(
      operationId = "redriveLane",
      summary = "Let a parked lane go on",
      description = "Its head is tried again, and what waited behind it follows in order.")
  @Parameter(
      name = "epoch",
      description = SinkGate.EPOCH + " Needed where there are several.",
      schema = @Schema(type = SchemaType.STRING))
  @APIResponse(responseCode = "200", description = "done, or already.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Redriven> lane(
      @PathParam("sink") String id,
      @PathParam("room") String room,
      @QueryParam("epoch") @Nullable String epoch) {
    return answer(id, room, epoch, 0, (sink, no) -> redrive.lane(sink, no));
  }

  @POST
  @Path("/{sink}/lanes/{room}/skip")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "skipHead",
      summary = "Let a parked lane go on without its head",
      description =
          "The event becomes a dead letter, and a gap is reported in its place, whatever the policy of the sink. seq says which event is meant: nextSeq of the lane, or a dead letter that was redriven and waits in the parked lane.")
  @Parameter(
      name = "epoch",
      description = SinkGate.EPOCH + " Needed where there are several.",
      schema = @Schema(type = SchemaType.STRING))
  @APIResponse(responseCode = "200", description = "done, or already.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "411", ref = "LengthRequired")
  @APIResponse(responseCode = "412", ref = "StaleHead")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "WrongMediaType")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Redriven> skip(
      @PathParam("sink") String id,
      @PathParam("room") String room,
      @QueryParam("epoch") @Nullable String epoch,
      @Nullable Skip skip) {
    gate.admin();
    Long seq = skip == null ? null : skip.seq();
    if (seq == null || seq < 1 || seq >= Numbers.ABOVE_ALL) {
      throw new Refusal(
          Problem.invalid("seq", "seq must be the number to be left out, a whole one from 1 on."));
    }
    return answer(id, room, epoch, seq, (sink, no) -> redrive.skip(sink, no, seq));
  }

  @POST
  @Path("/{sink}/dead-letters/{room}/{seq}/redrive")
  @Operation(
      operationId = "redriveDeadLetter",
      summary = "Send a dead letter once more",
      description =
          "It comes late, marked as such, if its gap has been reported; otherwise in its turn.")
  @Parameter(
      name = "epoch",
      description = SinkGate.EPOCH + " Needed where there are several.",
      schema = @Schema(type = SchemaType.STRING))
  @APIResponse(responseCode = "200", description = "done, or already.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<Redriven> deadLetter(
      @PathParam("sink") String id,
      @PathParam("room") String room,
      @PathParam("seq") String number,
      @QueryParam("epoch") @Nullable String epoch) {
    gate.admin();
    long seq = Numbers.needed("seq", number);
    return answer(id, room, epoch, seq, (sink, no) -> redrive.deadLetter(sink, no, seq));
  }

  @POST
  @Path("/{sink}/redrive")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "redriveLanes",
      summary = "Let all parked lanes of a sink go on",
      description = "Or those whose rooms match. With dryRun they are only counted.")
  @APIResponse(responseCode = "200", description = "How many.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "411", ref = "LengthRequired")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "WrongMediaType")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<RedrivenLanes> lanes(@PathParam("sink") String id, @Nullable LaneChoice choice) {
    gate.admin();
    List<String> rooms =
        choice == null || choice.rooms() == null
            ? List.of("*")
            : SinkRules.patterns(choice.rooms());
    boolean dryRun = choice != null && Boolean.TRUE.equals(choice.dryRun());
    return gate.open(id)
        .chain(sink -> dryRun ? redrive.count(sink.no(), rooms) : redrive.lanes(sink.no(), rooms))
        .map(count -> new RedrivenLanes(count, dryRun));
  }

  private Uni<Redriven> answer(
      String id,
      String room,
      @Nullable String epoch,
      long seq,
      BiFunction<Integer, Long, Uni<Redrive.Answer>> wish) {
    return gate.open(id)
        .chain(
            sink ->
                gate.lane(sink, room, epoch, seq).chain(place -> wish.apply(sink.no(), place.no())))
        .map(answer -> view(room, answer));
  }

  private static Redriven view(String room, Redrive.Answer answer) {
    return switch (answer.result()) {
      case DONE -> new Redriven("done", answer.nextSeq());
      case ALREADY -> new Redriven("already", answer.nextSeq());
      case NONE -> throw SinkGate.missing("There is no such lane or dead letter of this sink.");
      case OTHER -> throw new Refusal(stale(answer.nextSeq()).withField("seq").withRoom(room));
    };
  }

  private static Problem stale(@Nullable Long nextSeq) {
    Problem problem =
        Problem.of(ErrorCode.STALE_HEAD, "The lane stands at another number, which head says.");
    return nextSeq == null ? problem : problem.withHead(nextSeq);
  }

  /** Which event is to be left out. */
  @Schema(name = "Skip")
  public record Skip(@Schema(required = true, minimum = "1") @Nullable Long seq) {}

  /** Which lanes are meant. */
  @Schema(name = "LaneChoice")
  public record LaneChoice(
      @Schema(description = "Patterns of rooms; all if absent.", minItems = 1, maxItems = 64)
          @Nullable List<@Nullable String> rooms,
      @Schema(description = "Only count.", defaultValue = "false") @Nullable Boolean dryRun) {}
}
