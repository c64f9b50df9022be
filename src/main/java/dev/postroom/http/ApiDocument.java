package dev.postroom.http;

import static org.eclipse.microprofile.openapi.OASFactory.createAPIResponse;
import static org.eclipse.microprofile.openapi.OASFactory.createComponents;
import static org.eclipse.microprofile.openapi.OASFactory.createContent;
import static org.eclipse.microprofile.openapi.OASFactory.createHeader;
import static org.eclipse.microprofile.openapi.OASFactory.createInfo;
import static org.eclipse.microprofile.openapi.OASFactory.createLicense;
import static org.eclipse.microprofile.openapi.OASFactory.createMediaType;
import static org.eclipse.microprofile.openapi.OASFactory.createSchema;
import static org.eclipse.microprofile.openapi.OASFactory.createSecurityRequirement;
import static org.eclipse.microprofile.openapi.OASFactory.createSecurityScheme;

import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.info.Info;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.security.SecurityScheme;
import org.jspecify.annotations.Nullable;

/** What the OpenAPI document says once for all resources. Runs at build time. */
@OpenApiFilter(OpenApiFilter.RunStage.BUILD)
public class ApiDocument implements OASFilter {

  /** A webhook's signature, in the document. */
  static final String SIGNATURE = "webhookSignature";

  /** The token of a source of events, in the document. */
  static final String SOURCE_TOKEN = "sourceToken";

  private static final String TOKEN = "token";

  @Override
  public void filterOpenAPI(OpenAPI document) {
    document.info(info());
    Components components =
        document.getComponents() == null ? createComponents() : document.getComponents();
    document.components(components);
    components.securitySchemes(
        Map.of(
            TOKEN, tokenScheme(),
            SIGNATURE, signatureScheme(),
            SOURCE_TOKEN, sourceTokenScheme()));
    document.security(List.of(createSecurityRequirement().addScheme(TOKEN)));
    for (Failure failure : Failure.values()) {
      components.addResponse(failure.component, response(failure));
    }
  }

  @Override
  public @Nullable Parameter filterParameter(Parameter parameter) {
    if (parameter.getIn() == Parameter.In.PATH && "room".equals(parameter.getName())) {
      parameter
          .description("The room's id.")
          .example("case-7")
          .schema(text().pattern("^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$"));
    }
    if (parameter.getIn() == Parameter.In.PATH && "participant".equals(parameter.getName())) {
      parameter
          .description("The participant's id, as in the sub of its tokens.")
          .example("anna")
          .schema(text().minLength(1).maxLength(128));
    }
    if (parameter.getIn() == Parameter.In.PATH && "sink".equals(parameter.getName())) {
      parameter
          .description("The sink's id.")
          .example("snk_2pzk4ha7qvd5wn6c")
          .schema(text().pattern("^snk_[a-z2-7]{16}$"));
    }
    if (parameter.getIn() == Parameter.In.PATH && "seq".equals(parameter.getName())) {
      parameter.description("The event's number in its room.").schema(text().pattern("^[0-9]+$"));
    }
    return parameter;
  }

  private static Info info() {
    return createInfo()
        .title("Postroom")
        .version("1")
        .description(
            "Durable room messaging. Every command is accepted once, however often it is sent; a"
                + " room's messages are numbered 1, 2, 3 … without holes. The same rooms are spoken"
                + " to over WebSocket at /ws.")
        .license(
            createLicense().name("Apache-2.0").url("https://www.apache.org/licenses/LICENSE-2.0"));
  }

  private static SecurityScheme tokenScheme() {
    return createSecurityScheme()
        .type(SecurityScheme.Type.HTTP)
        .scheme("bearer")
        .bearerFormat("JWT")
        .description(
            "sub is the participant, name its display name, rooms a map of room pattern (case-*) to"
                + " reader, writer or owner; with admin true the participant is an owner of every"
                + " room.");
  }

  private static SecurityScheme signatureScheme() {
    return createSecurityScheme()
        .type(SecurityScheme.Type.APIKEY)
        .in(SecurityScheme.In.HEADER)
        .name("webhook-signature")
        .description(
            "Standard Webhooks: webhook-signature over webhook-id, webhook-timestamp and the body,"
                + " by one of the source's secrets.");
  }

  private static SecurityScheme sourceTokenScheme() {
    return createSecurityScheme()
        .type(SecurityScheme.Type.HTTP)
        .scheme("bearer")
        .description("The token that is configured for the source.");
  }

  private static APIResponse response(Failure failure) {
    APIResponse response =
        createAPIResponse()
            .description(failure.description)
            .content(
                createContent()
                    .addMediaType(
                        Problem.MEDIA_TYPE,
                        createMediaType()
                            .schema(createSchema().ref("#/components/schemas/Problem"))));
    if (failure.header != null) {
      response.addHeader(failure.header, header());
    }
    return response;
  }

  private static Header header() {
    return createHeader().schema(text());
  }

  private static Schema text() {
    return createSchema().addType(Schema.SchemaType.STRING);
  }

  /** The answers that resources refer to by name. */
  private enum Failure {
    INVALID("Invalid", "A field, parameter or header breaks its rule; field names it."),
    UNAUTHORIZED(
        "Unauthorized",
        "No token, or one that proves nobody; detail says why.",
        "WWW-Authenticate"),
    FORBIDDEN(
        "Forbidden",
        "No right to do this in the room; the same where there is no room. Sinks: no administrator."),
    NOT_FOUND("NotFound", "Nothing at this address, or no such sink, lane or dead letter."),
    STALE_HEAD("StaleHead", "ifHead or seq does not match; head is what it would have to be."),
    LENGTH_REQUIRED("LengthRequired", "The body does not say how long it is."),
    TOO_LARGE("TooLarge", "The text or the body is over its limit."),
    WRONG_MEDIA_TYPE("WrongMediaType", "The body is of no media type that is read here."),
    ID_CONFLICT(
        "IdConflict",
        "The key was used with other content; messageId and seq are those of the first. Nothing was"
            + " changed."),
    UNPROCESSABLE(
        "Unprocessable",
        "Nothing can be made of this event, however often it is sent; of others it can. Its id was"
            + " used with other content (id_conflict), or its room does not exist and the source"
            + " makes none (invalid)."),
    RATE_LIMITED("RateLimited", "Over the participant's rate.", "Retry-After"),
    INTERNAL("Internal", "Unforeseen; detail holds the reference in the log.", "Retry-After"),
    UNAVAILABLE(
        "Unavailable",
        "busy or unavailable: too much at once, or the database is away. Send the same again.",
        "Retry-After");

    private final String component;
    private final String description;
    private final @Nullable String header;

    Failure(String component, String description) {
      this(component, description, null);
    }

    Failure(String component, String description, @Nullable String header) {
      this.component = component;
      this.description = description;
      this.header = header;
    }
  }
}
