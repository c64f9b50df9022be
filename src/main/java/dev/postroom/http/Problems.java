package dev.postroom.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.postroom.accept.RefusalCounts;
import dev.postroom.access.KeysUnavailable;
import dev.postroom.access.TokenRejected;
import dev.postroom.db.Faults;
import dev.postroom.protocol.ErrorCode;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;
import org.jspecify.annotations.Nullable;

/**
 * Every failure of a resource as a problem document: the one place. Only what nobody foresaw is
 * logged, once, under the reference that the client is told.
 */
public class Problems {

  private static final Logger LOG = Logger.getLogger(Problems.class);

  /** About as long as it takes to notice that the database is back. */
  private static final long AWAY_RETRY_MS = 1_000;

  private final RefusalCounts refusals;

  Problems(RefusalCounts refusals) {
    this.refusals = refusals;
  }

  @ServerExceptionMapper
  public Response refusal(Refusal refusal) {
    return told(refusal.problem());
  }

  @ServerExceptionMapper
  public Response rejected(TokenRejected rejected) {
    String challenge =
        rejected.reason() == TokenRejected.Reason.MISSING
            ? "Bearer realm=\"postroom\""
            : "Bearer realm=\"postroom\", error=\"invalid_token\", error_description=\""
                + rejected.getMessage().replace('"', '\'')
                + "\"";
    return Response.fromResponse(told(Problem.of(ErrorCode.UNAUTHORIZED, rejected.getMessage())))
        .header(HttpHeaders.WWW_AUTHENTICATE, challenge)
        .build();
  }

  @ServerExceptionMapper
  public Response unverifiable(KeysUnavailable unavailable) {
    return told(
        Problem.of(ErrorCode.UNAVAILABLE, unavailable.getMessage() + " Try again.")
            .withRetryAfter(AWAY_RETRY_MS));
  }

  /** What JAX-RS itself refuses, and bodies that are not what they should be. */
  @ServerExceptionMapper
  public Response http(WebApplicationException failure) {
    if (failure.getCause() instanceof JsonProcessingException json) {
      return json(json);
    }
    int status = failure.getResponse().getStatus();
    if (status >= 500) {
      return unforeseen(failure);
    }
    return told(ofStatus(status));
  }

  /** Names the field where the JSON can be read, and never repeats what was sent. */
  @ServerExceptionMapper
  public Response json(JsonProcessingException failure) {
    String field = failure instanceof JsonMappingException mapping ? path(mapping) : null;
    String detail =
        field == null
            ? "The body is not the JSON object that is expected here."
            : "The field " + field + " of the body is not of the type that is expected here.";
    return told(Problem.of(ErrorCode.BAD_FRAME, detail).withField(field));
  }

  /**
   * Quarkus has a mapper of its own for these, which a mapper of the supertype would not replace.
   */
  @ServerExceptionMapper
  public Response mismatched(MismatchedInputException failure) {
    return json(failure);
  }

  @ServerExceptionMapper
  public Response unforeseen(Throwable failure) {
    ErrorCode code = Faults.code(failure);
    if (code == ErrorCode.UNAVAILABLE) {
      return told(Problem.of(code, Faults.unavailable(failure)).withRetryAfter(AWAY_RETRY_MS));
    }
    if (code == ErrorCode.BUSY) {
      return told(Problem.of(code, Faults.busy(failure)).withRetryAfter(AWAY_RETRY_MS));
    }
    String reference = UUID.randomUUID().toString().substring(0, 8);
    LOG.errorf(failure, "Unforeseen failure, reference %s", reference);
    return told(
        Problem.of(
                ErrorCode.INTERNAL,
                "Something went wrong here; the log knows it as " + reference + ". Try again.")
            .withRetryAfter(AWAY_RETRY_MS));
  }

  private Response told(Problem problem) {
    refusals.count(problem.code());
    return response(problem);
  }

  static Response response(Problem problem) {
    Response.ResponseBuilder answer =
        Response.status(problem.status())
            .type(Problem.MEDIA_TYPE)
            .header(HttpHeaders.CACHE_CONTROL, "no-store")
            .entity(problem.toJson());
    Long retryAfter = problem.retryAfterSeconds();
    if (retryAfter != null) {
      answer.header(HttpHeaders.RETRY_AFTER, retryAfter);
    }
    return answer.build();
  }

  static Problem ofStatus(int status) {
    return switch (status) {
      case 400 -> Problem.of(ErrorCode.BAD_FRAME, "The request cannot be read.");
      case 404 -> Problem.ofStatus(404, "There is nothing at this address; see /q/openapi.");
      case 405 -> Problem.ofStatus(405, "This address does not know this method; see /q/openapi.");
      case 406 -> Problem.ofStatus(406, "Answers here are application/json; see Accept.");
      case 411 -> Problem.ofStatus(411, "Send the body with its length; see Content-Length.");
      case 413 -> Problem.of(ErrorCode.TOO_LARGE, "The body is longer than this service reads.");
      case 415 -> Problem.ofStatus(415, "Send the body as application/json; see Content-Type.");
      default -> Problem.ofStatus(status, "The request is refused.");
    };
  }

  private static @Nullable String path(JsonMappingException failure) {
    String path =
        failure.getPath().stream()
            .map(step -> step.getFieldName() == null ? "[]" : step.getFieldName())
            .collect(Collectors.joining("."));
    return path.isEmpty() ? null : path;
  }
}
