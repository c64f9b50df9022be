package dev.postroom.http;

import dev.postroom.protocol.ErrorCode;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/**
 * Refuses a request whose path could be read in two ways ({@link Paths}), whatever it is for,
 * before anything is routed by it.
 */
@ApplicationScoped
class PathGate {

  /** Before everything else of ours. */
  private static final int FIRST = 100;

  private final EarlyRefusal refusal;

  PathGate(EarlyRefusal refusal) {
    this.refusal = refusal;
  }

  void register(@Observes Filters filters) {
    filters.register(this::check, FIRST);
  }

  private void check(RoutingContext request) {
    String path = request.request().path();
    // "*" is no path, and Vert.x says null.
    String fault =
        path == null || !path.startsWith("/") ? "does not begin with a slash" : Paths.fault(path);
    if (fault == null) {
      request.next();
    } else {
      refusal.send(request, Problem.of(ErrorCode.BAD_FRAME, "The path " + fault + "."));
    }
  }
}
