package dev.postroom.http;

import dev.postroom.accept.RefusalCounts;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** Answers a request that gets no further. */
@Singleton
final class EarlyRefusal {
  private final RefusalCounts refusals;

  EarlyRefusal(RefusalCounts refusals) {
    this.refusals = refusals;
  }

  /** The connection ends with it. */
  void send(RoutingContext request, Problem problem) {
    request
        .response()
        // What is still on its way would be taken for the next request.
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .endHandler(ended -> request.request().connection().close());
    answer(request, problem);
  }

  /** The connection stays; what is still on its way of a body is read and forgotten. */
  void sendAndStay(RoutingContext request, Problem problem) {
    request.request().resume();
    answer(request, problem);
  }

  private void answer(RoutingContext request, Problem problem) {
    refusals.count(problem.code());
    HttpServerResponse answer = request.response();
    Long retryAfter = problem.retryAfterSeconds();
    if (retryAfter != null) {
      answer.putHeader(HttpHeaders.RETRY_AFTER, String.valueOf(retryAfter));
    }
    answer
        .setStatusCode(problem.status())
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        .end(problem.toJson());
  }
}
