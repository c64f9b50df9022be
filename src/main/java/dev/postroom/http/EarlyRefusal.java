package dev.postroom.http;

import dev.postroom.accept.RefusalCounts;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers a request that gets no further. */
@Singleton
final class EarlyRefusal {
  private static final int MOST_DROPPED = 4 << 20;
  private static final long LINGER_MS = 2_000;

  private final RefusalCounts refusals;

  EarlyRefusal(RefusalCounts refusals) {
    this.refusals = refusals;
  }

  /**
   * The connection ends with it, but not at once: closed with bytes unread it would be reset, and
   * the answer might not be seen (RFC 9112, section 9.6). So some of what is still on its way is
   * read and forgotten.
   */
  void send(RoutingContext request, Problem problem) {
    request
        .response()
        // What is still on its way would be taken for the next request.
        .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
        .endHandler(answered -> readOut(request));
    answer(request, problem);
  }

  private static void readOut(RoutingContext request) {
    HttpServerRequest incoming = request.request();
    HttpConnection connection = incoming.connection();
    if (incoming.isEnded()) {
      connection.close();
      return;
    }
    AtomicInteger dropped = new AtomicInteger();
    incoming
        .handler(
            bytes -> {
              if (dropped.addAndGet(bytes.length()) > MOST_DROPPED) {
                connection.close();
              }
            })
        .endHandler(ended -> connection.close())
        .resume();
    request.vertx().setTimer(LINGER_MS, late -> connection.close());
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
