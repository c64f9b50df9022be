package dev.postroom.http;

import dev.postroom.http.SinkViews.NewSecret;
import dev.postroom.http.SinkViews.SinkView;
import dev.postroom.http.SinkViews.TestDelivery;
import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.Relay;
import dev.postroom.outbox.SinkRow;
import dev.postroom.outbox.SinkTypes;
import dev.postroom.outbox.Sinks;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** What is done with a sink that there is: paused, resumed, given a new secret, tried. */
@Path(SinkResource.PATH)
@Tag(name = "Sinks")
@Produces(MediaType.APPLICATION_JSON)
public class SinkStateResource {

  private static final int LONGEST_GRACE_SECONDS = 30 * 24 * 3600;
  private static final int GRACE_SECONDS = 24 * 3600;

  private final SinkGate gate;
  private final Sinks sinks;
  private final SinkTypes types;
  private final SinkSecrets secrets;
  private final Relay relay;

  SinkStateResource(SinkGate gate, Sinks sinks, SinkTypes types, SinkSecrets secrets, Relay relay) {
    this.gate = gate;
    this.sinks = sinks;
    this.types = types;
    this.secrets = secrets;
    this.relay = relay;
  }

  @POST
  @Path("/{sink}/pause")
  @Operation(
      operationId = "pauseSink",
      summary = "Pause a sink",
      description = "Its events wait, however long. May be repeated.")
  @APIResponse(responseCode = "200", description = "The sink, paused.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<SinkView> pause(@PathParam("sink") String id) {
    return gate.open(id).chain(sink -> changed(sinks.pause(sink.no()))).chain(() -> view(id));
  }

  @POST
  @Path("/{sink}/resume")
  @Operation(
      operationId = "resumeSink",
      summary = "Resume a sink that is paused or disabled",
      description = "What waited leaves, a little at first. May be repeated.")
  @APIResponse(responseCode = "200", description = "The sink, active.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<SinkView> resume(@PathParam("sink") String id) {
    return gate.open(id).chain(sink -> changed(sinks.resume(sink.no()))).chain(() -> view(id));
  }

  @POST
  @Path("/{sink}/secret")
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(
      operationId = "rotateSecret",
      summary = "Give a sink a new secret",
      description = "Deliveries are signed with both until the grace is over.")
  @APIResponse(responseCode = "200", description = "The new secret.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "411", ref = "LengthRequired")
  @APIResponse(responseCode = "413", ref = "TooLarge")
  @APIResponse(responseCode = "415", ref = "WrongMediaType")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<NewSecret> rotate(@PathParam("sink") String id, @Nullable Rotation rotation) {
    gate.admin();
    Duration grace = grace(rotation == null ? null : rotation.graceSeconds());
    SinkSecrets.Fresh secret = secrets.fresh();
    return gate.open(id)
        .chain(sink -> changed(sinks.rotate(sink.no(), secret.sealed(), grace)))
        .replaceWith(new NewSecret(secret.text()));
  }

  private static Duration grace(@Nullable Integer seconds) {
    if (seconds != null && (seconds < 0 || seconds > LONGEST_GRACE_SECONDS)) {
      throw new Refusal(
          Problem.invalid(
              "graceSeconds",
              "graceSeconds must be a whole number from 0 to " + LONGEST_GRACE_SECONDS + "."));
    }
    return Duration.ofSeconds(seconds == null ? GRACE_SECONDS : seconds);
  }

  @POST
  @Path("/{sink}/test")
  @Operation(
      operationId = "testSink",
      summary = "Send a test event",
      description =
          "At once, whatever the state of the sink; nothing is tried again, and no lane is moved.")
  @APIResponse(responseCode = "200", description = "How it ended.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "401", ref = "Unauthorized")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  @APIResponse(responseCode = "500", ref = "Internal")
  @APIResponse(responseCode = "503", ref = "Unavailable")
  public Uni<TestDelivery> test(@PathParam("sink") String id) {
    return gate.open(id).chain(this::fire);
  }

  private Uni<TestDelivery> fire(SinkRow sink) {
    long start = System.nanoTime();
    return types
        .fire(sink)
        .map(
            result ->
                new TestDelivery(
                    result instanceof DeliveryResult.Delivered,
                    reason(result),
                    Duration.ofNanos(System.nanoTime() - start).toMillis()));
  }

  private static @Nullable String reason(DeliveryResult result) {
    if (result instanceof DeliveryResult.EventFault fault) {
      return fault.reason();
    }
    if (result instanceof DeliveryResult.SinkFault fault) {
      return fault.reason();
    }
    return result instanceof DeliveryResult.Gone gone ? gone.reason() : null;
  }

  /** One that was deleted meanwhile is not there. */
  private Uni<Boolean> changed(Uni<Boolean> change) {
    return change.invoke(
        done -> {
          if (!done) {
            throw SinkGate.missing("There is no such sink.");
          }
          relay.changed();
        });
  }

  private Uni<SinkView> view(String id) {
    return gate.open(id).map(SinkView::of);
  }

  /** How a secret is to be replaced. */
  @Schema(name = "Rotation")
  public record Rotation(
      @Schema(
              description = "For how long the old secret signs along.",
              minimum = "0",
              maximum = "2592000",
              defaultValue = "86400")
          @Nullable Integer graceSeconds) {}
}
