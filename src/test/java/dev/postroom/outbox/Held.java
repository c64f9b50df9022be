package dev.postroom.outbox;

import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;

/** An answer that the test gives when it wants to. Safe for any thread. */
final class Held<T> {
  private final CompletableFuture<T> answer = new CompletableFuture<>();

  Uni<T> uni() {
    return Uni.createFrom().completionStage(answer);
  }

  void complete(T value) {
    answer.complete(value);
  }
}
