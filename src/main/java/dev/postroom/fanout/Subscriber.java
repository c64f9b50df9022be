package dev.postroom.fanout;

import dev.postroom.protocol.ServerFrame.LeftReason;

/**
 * One connection as the hub sees it.
 *
 * <p>Every method is called while the room's lane is locked: it must return at once and must not
 * call back into the hub; whatever takes longer is scheduled on the connection's own event loop.
 */
public interface Subscriber {

  /** Whose connection it is. */
  String participant();

  /**
   * Takes a live frame, or says that its queue is full.
   *
   * @return false if the frame was not taken; the subscription then stops being live
   */
  boolean offer(EncodedMessage message);

  /** Its queue was full: from now on the subscription has to be caught up from the log. */
  void behind(Subscription subscription);

  /** The numbers changed their meaning (R4): a snapshot is needed. */
  void reset(Subscription subscription);

  /** The subscription has ended. */
  void left(Subscription subscription, LeftReason reason);

  /**
   * Members were taken out of the room, maybe this one: the right is to be looked up, and {@link
   * Subscription#stays} told. Until then nothing may be handed over.
   */
  void recheck(Subscription subscription);
}
