package dev.postroom.outbox;

import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** The relay's loops are futures; what it calls are Unis. */
final class Futures {

  private Futures() {}

  /** Subscribes at once. */
  static <T> Future<T> of(Uni<T> uni) {
    Promise<T> promise = Promise.promise();
    uni.subscribe().with(promise::complete, promise::fail);
    return promise.future();
  }

  static <T> Uni<T> uni(Future<T> future) {
    return Uni.createFrom()
        .emitter(emitter -> future.onSuccess(emitter::complete).onFailure(emitter::fail));
  }
}
