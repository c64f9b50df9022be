package dev.postroom.http;

import dev.postroom.access.DevelopmentIssuer;
import dev.postroom.access.Participants;
import dev.postroom.access.Role;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirements;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Tokens for the asking, in the development run alone; elsewhere there is nothing here. */
@Path("/dev/tokens")
@Tag(name = "Development")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class DevTokenResource {

  private final DevelopmentGate gate;
  private final DevelopmentIssuer issuer;

  DevTokenResource(DevelopmentGate gate, DevelopmentIssuer issuer) {
    this.gate = gate;
    this.issuer = issuer;
  }

  @POST
  @SecurityRequirements
  @Operation(
      operationId = "issueDevelopmentToken",
      summary = "Have a token for any name",
      description =
          "Exists only while no key to verify tokens is configured and the service listens on"
              + " loopback.")
  @APIResponse(responseCode = "200", description = "The token.")
  @APIResponse(responseCode = "400", ref = "Invalid")
  @APIResponse(responseCode = "403", ref = "Forbidden")
  @APIResponse(responseCode = "404", ref = "NotFound")
  public Uni<IssuedToken> issue(
      @Context @Parameter(hidden = true) UriInfo uri, @Nullable TokenRequest request) {
    gate.open(uri);
    if (request == null || request.participant() == null) {
      throw new Refusal(
          Problem.invalid("participant", "participant must be " + Participants.RULE + "."));
    }
    try {
      return issuer
          .issue(
              request.participant(),
              request.name(),
              roles(request.rooms()),
              Boolean.TRUE.equals(request.admin()))
          .map(IssuedToken::new);
    } catch (IllegalArgumentException e) {
      throw DevelopmentGate.invalid(e);
    }
  }

  private static Map<String, Role> roles(@Nullable Map<String, String> rooms) {
    Map<String, Role> roles = new LinkedHashMap<>();
    if (rooms != null) {
      rooms.forEach((pattern, word) -> roles.put(pattern, RoleWords.parse("rooms", word)));
    }
    return roles;
  }

  /** Who the token is for. */
  @Schema(name = "TokenRequest")
  public record TokenRequest(
      @Schema(required = true, description = "The participant's id.", examples = "anna")
          @Nullable String participant,
      @Schema(description = "For display; the id if absent.", examples = "Anna")
          @Nullable String name,
      @Schema(
              description = "Room pattern to reader, writer or owner.",
              examples = "{\"case-*\": \"owner\"}")
          @Nullable Map<String, String> rooms,
      @Schema(description = "An owner of every room.", defaultValue = "false")
          @Nullable Boolean admin) {}

  /** A bearer token. */
  @Schema(name = "IssuedToken")
  public record IssuedToken(@Schema(required = true) String token) {
    @Override
    public String toString() {
      return "IssuedToken[]";
    }
  }
}
