package dev.postroom.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;

/** Answers a request that gets no further: nothing of its body is read. */
final class EarlyRefusal {

  private EarlyRefusal() {}

  static void send(RoutingContext request, Problem problem) {
    request
        .response()
        .setStatusCode(problem.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
        // What is still on its way would be taken for the next request.
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .endHandler(ended -> request.request().connection().close())
        .end(problem.toJson());
  }
}
