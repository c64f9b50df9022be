package dev.postroom.outbox;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.function.Consumer;

/** The one event loop to which a node's relay is confined. Safe for any thread. */
@ApplicationScoped
class RelayLoop {
  private final Vertx vertx;
  private final Context context;

  RelayLoop(Vertx vertx) {
    this.vertx = vertx;
    // A context of its own: the caller's may be anything.
    this.context = ((VertxInternal) vertx).createEventLoopContext();
  }

  void run(Runnable work) {
    context.runOnContext(ignored -> work.run());
  }

  <T> void on(Future<T> future, Consumer<T> success, Consumer<Throwable> failure) {
    future.onComplete(
        done ->
            run(
                () -> {
                  if (done.succeeded()) {
                    success.accept(done.result());
                  } else {
                    failure.accept(done.cause());
                  }
                }));
  }

  void after(Duration delay, Runnable work) {
    vertx.setTimer(Math.max(1, delay.toMillis()), id -> run(work));
  }
}
