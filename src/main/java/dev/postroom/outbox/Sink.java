package dev.postroom.outbox;

import io.smallrye.mutiny.Uni;

/** Where events go. Called from one event loop, which must not be blocked. */
public interface Sink extends AutoCloseable {

  /**
   * Hands one event over. Ends within a deadline of the sink's own; never tries twice.
   *
   * <p>A failure of the Uni means that our side was at fault.
   */
  Uni<DeliveryResult> deliver(RoomEvent event);

  /** Lets go of what it holds. Deliveries in flight may still end. */
  @Override
  void close();
}
