package dev.postroom.http;

import dev.postroom.faults.Drill;
import dev.postroom.faults.Fault;
import dev.postroom.faults.FaultMode;
import dev.postroom.faults.Storm;
import dev.postroom.faults.Weather;
import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** What goes wrong on order, in the development run alone; elsewhere there is nothing here. */
@Path("/dev/faults")
@Tag(name = "Development")
@Produces(MediaType.APPLICATION_JSON)
public class DevFaultResource {

  private final DevelopmentGate gate;
  private final FaultMode mode;

  DevFaultResource(DevelopmentGate gate, FaultMode mode) {
    this.gate = gate;
    this.mode = mode;
  }

  @GET
  @SecurityRequirements
  @Operation(operationId = "describeFaults", summary = "See what is to go wrong, and what has")
  @APIResponse(responseCode = "200", description = "The fault mode.")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  public FaultState describe(@Context @Parameter(hidden = true) UriInfo uri) {
    gate.open(uri);
    return state(mode.storm());
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  @SecurityRequirements
  @Operation(
      operationId = "setFaults",
      summary = "Let things go wrong between this node and its sockets",
      description = "Replaces what was set before. What is accepted is accepted once all the same.")
  @APIResponse(responseCode = "200", description = "The fault mode, on.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  public FaultState set(
      @Context @Parameter(hidden = true) UriInfo uri, @Nullable FaultSetting setting) {
    gate.open(uri);
    try {
      return state(mode.begin(weather(setting == null ? FaultSetting.NOTHING : setting)));
    } catch (IllegalArgumentException e) {
      throw DevelopmentGate.invalid(e);
    }
  }

  @DELETE
  @SecurityRequirements
  @Operation(operationId = "endFaults", summary = "Let nothing go wrong any more")
  @APIResponse(responseCode = "200", description = "The fault mode, off.")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  public FaultState end(@Context @Parameter(hidden = true) UriInfo uri) {
    gate.open(uri);
    mode.end();
    return state(null);
  }

  @POST
  @Path("/drills")
  @Consumes(MediaType.APPLICATION_JSON)
  @SecurityRequirements
  @Operation(
      operationId = "orderDrill",
      summary = "Let one thing go wrong once",
      description = "Turns the fault mode on, with no other faults, if it is off.")
  @APIResponse(responseCode = "200", description = "Whom it befalls.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<DrillAnswer> order(
      @Context @Parameter(hidden = true) UriInfo uri, @Nullable DrillOrder order) {
    gate.open(uri);
    try {
      return mode.order(drill(order == null ? DrillOrder.NOTHING : order)).map(DrillAnswer::new);
    } catch (IllegalArgumentException e) {
      throw DevelopmentGate.invalid(e);
    }
  }

  private static Drill drill(DrillOrder order) {
    if (order.room() != null && !RoomId.isValid(order.room())) {
      throw new IllegalArgumentException("room must be " + RoomId.RULE + ".");
    }
    return new Drill(
        Drill.Kind.parse(order.drill()),
        order.participant() == null ? "" : order.participant(),
        order.room(),
        order.ms() == null ? Drill.FREEZE_MS : order.ms());
  }

  private static Weather weather(FaultSetting setting) {
    Map<Fault, Double> proportions = new EnumMap<>(Fault.class);
    put(proportions, Fault.DROP_ACK, setting.dropAcks());
    put(proportions, Fault.DELAY_ACK, setting.delayAcks());
    put(proportions, Fault.REPEAT_EVENT, setting.repeatEvents());
    put(proportions, Fault.REPEAT_COMMAND, setting.repeatCommands());
    put(proportions, Fault.CUT_SOCKET, setting.cutSockets());
    put(proportions, Fault.REFUSE, setting.refuse());
    put(proportions, Fault.MOVE_EPOCH, setting.moveEpochs());
    return new Weather(
        // One that JavaScript can say again.
        setting.seed() == null ? ThreadLocalRandom.current().nextInt(1_000_000) : setting.seed(),
        setting.delayMs() == null ? Weather.DELAY_MS : setting.delayMs(),
        proportions);
  }

  private static void put(Map<Fault, Double> proportions, Fault fault, @Nullable Double wanted) {
    if (wanted != null) {
      proportions.put(fault, wanted);
    }
  }

  private static FaultState state(@Nullable Storm storm) {
    Weather weather = storm == null ? Weather.calm(0) : storm.weather();
    Map<String, Long> happened = new TreeMap<>();
    if (storm != null) {
      storm.happened().forEach((fault, count) -> happened.put(fault.field(), count));
    }
    return new FaultState(
        storm != null,
        new FaultSetting(
            weather.seed(),
            weather.proportion(Fault.DROP_ACK),
            weather.proportion(Fault.DELAY_ACK),
            weather.delayMs(),
            weather.proportion(Fault.REPEAT_EVENT),
            weather.proportion(Fault.REPEAT_COMMAND),
            weather.proportion(Fault.CUT_SOCKET),
            weather.proportion(Fault.REFUSE),
            weather.proportion(Fault.MOVE_EPOCH)),
        happened);
  }

  /** What is to go wrong, in proportions from 0 to 1; left out, 0. */
  @Schema(name = "FaultSetting")
  public record FaultSetting(
      @Schema(description = "Of all chance; left out, a new one.", examples = "7")
          @Nullable Long seed,
      @Schema(description = "Of the acks, are not sent.") @Nullable Double dropAcks,
      @Schema(description = "Of the acks, are late.") @Nullable Double delayAcks,
      @Schema(description = "The longest delay, 1 to 10000.", defaultValue = "500")
          @Nullable Long delayMs,
      @Schema(description = "Of live events and deltas, come twice.") @Nullable Double repeatEvents,
      @Schema(description = "Of commands, arrive twice.") @Nullable Double repeatCommands,
      @Schema(description = "Of commands, joins and requests for history, cost the socket.")
          @Nullable Double cutSockets,
      @Schema(description = "Of these, get a temporary error.") @Nullable Double refuse,
      @Schema(description = "Of commands, begin a new epoch; at most one a second.")
          @Nullable Double moveEpochs) {

    static final FaultSetting NOTHING =
        new FaultSetting(null, null, null, null, null, null, null, null, null);
  }

  /** The fault mode. */
  @Schema(name = "FaultState")
  public record FaultState(
      @Schema(required = true, description = "Whether the fault mode is on.") boolean on,
      @Schema(required = true) FaultSetting setting,
      @Schema(required = true, description = "How often each has struck since it was turned on.")
          Map<String, Long> happened) {}

  /** One thing that is to go wrong once. */
  @Schema(name = "DrillOrder")
  public record DrillOrder(
      @Schema(
              required = true,
              description =
                  "lose_ack, send_twice and refuse strike at the next occasion; cut, freeze,"
                      + " repeat_delta and new_epoch at once.",
              enumeration = {
                "lose_ack",
                "send_twice",
                "refuse",
                "cut",
                "freeze",
                "repeat_delta",
                "new_epoch"
              })
          @Nullable String drill,
      @Schema(description = "Whom it befalls; all but new_epoch need one.", examples = "anna")
          @Nullable String participant,
      @Schema(description = "Where, for repeat_delta.", examples = "case-7") @Nullable String room,
      @Schema(description = "How long, for freeze: 1 to 30000.", defaultValue = "10000")
          @Nullable Long ms) {

    static final DrillOrder NOTHING = new DrillOrder(null, null, null, null);
  }

  /** What became of an order. */
  @Schema(name = "DrillAnswer")
  public record DrillAnswer(
      @Schema(required = true, description = "The participant's sockets at this node.")
          int sockets) {}
}
