package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SharedReadTest {
  private final SharedRead reads = new SharedRead();
  private final List<UniEmitter<? super Void>> begun = new ArrayList<>();

  @Test
  @DisplayName("Who shares joins the running read")
  void shared() {
    CompletableFuture<Void> first = share();
    CompletableFuture<Void> second = share();
    assertEquals(1, begun.size());
    begun.get(0).complete(null);
    assertTrue(first.isDone() && second.isDone());
  }

  @Test
  @DisplayName("R1: who wants a fresh one is not answered by a read that began before")
  void freshOnes() {
    CompletableFuture<Void> first = fresh();
    CompletableFuture<Void> second = fresh();
    CompletableFuture<Void> third = fresh();
    begun.get(0).complete(null);
    assertTrue(first.isDone());
    assertFalse(second.isDone());
    assertEquals(2, begun.size(), "one for both");
    CompletableFuture<Void> fourth = fresh();
    begun.get(1).complete(null);
    assertTrue(second.isDone() && third.isDone());
    assertFalse(fourth.isDone());
    begun.get(2).complete(null);
    assertTrue(fourth.isDone());
    assertEquals(3, begun.size());
  }

  @Test
  @DisplayName("A read that fails fails those who waited for it, not those of the next")
  void failed() {
    CompletableFuture<Void> first = fresh();
    CompletableFuture<Void> second = fresh();
    begun.get(0).fail(new IllegalStateException("away"));
    assertTrue(first.isCompletedExceptionally());
    begun.get(1).complete(null);
    assertTrue(second.isDone() && !second.isCompletedExceptionally());
  }

  private CompletableFuture<Void> share() {
    return reads.share(this::read).subscribeAsCompletionStage();
  }

  private CompletableFuture<Void> fresh() {
    return reads.fresh(this::read).subscribeAsCompletionStage();
  }

  private Uni<Void> read() {
    return Uni.createFrom().emitter(begun::add);
  }
}
