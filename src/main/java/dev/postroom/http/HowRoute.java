package dev.postroom.http;

import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** The page under {@code /how/}, also for whoever leaves out the slash. */
@ApplicationScoped
class HowRoute {

  void register(@Observes Router router) {
    // A plain path would take the one with the slash as well, and lead it in a circle.
    router
        .routeWithRegex("/how")
        .handler(
            request -> request.response().setStatusCode(308).putHeader("Location", "how/").end());
  }
}
