package dev.postroom.outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a sink made of an event (H6). Our own faults are none of these: they are failures of the
 * call, and count against nobody.
 *
 * <p>Reasons are shown to administrators and must not hold anything that the sink answered beyond
 * its status.
 */
public sealed interface DeliveryResult {

  /** Positively answered: the only result after which an event is marked. */
  record Delivered() implements DeliveryResult {}

  /** The event as such was refused; counts against its lane. */
  record EventFault(String reason) implements DeliveryResult {}

  /**
   * The sink could not take the event, or not now; counts against the sink, or against the lane
   * where only that one fails.
   *
   * @param reached false if not even a connection came about, so that the event was not sent
   * @param pause how long the sink asks to be left alone, or null
   */
  record SinkFault(String reason, boolean reached, @Nullable Duration pause)
      implements DeliveryResult {}

  /** The sink says that it is no more: it is disabled until somebody resumes it. */
  record Gone(String reason) implements DeliveryResult {}
}
