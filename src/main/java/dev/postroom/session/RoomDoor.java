package dev.postroom.session;

import dev.postroom.access.Decision;
import dev.postroom.access.Principal;
import dev.postroom.access.Role;
import dev.postroom.access.RoomPolicy;
import dev.postroom.db.Contended;
import dev.postroom.fanout.Hub;
import dev.postroom.fanout.Subscriber;
import dev.postroom.fanout.Subscription;
import dev.postroom.room.RoomId;
import dev.postroom.room.Rooms;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import org.jspecify.annotations.Nullable;

/**
 * The way into a room: the right first, then a place at the hub; a room that may be made at first
 * use is made. Safe for any thread.
 */
@ApplicationScoped
class RoomDoor {
  /** How often a room is made that is gone again before it is entered. */
  private static final int TRIES = 5;

  private final RoomPolicy policy;
  private final Rooms rooms;
  private final Hub hub;

  RoomDoor(RoomPolicy policy, Rooms rooms, Hub hub) {
    this.policy = policy;
    this.rooms = rooms;
    this.hub = hub;
  }

  /** Whether somebody who is in the room may still be; all who are may be asked about at once. */
  Uni<Decision> mayStay(Principal principal, RoomId room) {
    return policy.decideAmongMany(principal, room, Role.READER);
  }

  /**
   * Fails with {@link Contended} if the room comes and goes too fast to be entered.
   *
   * @return null if the room is not there or the right is missing
   */
  Uni<@Nullable Subscription> enter(Principal principal, RoomId room, Subscriber subscriber) {
    return policy
        .decide(principal, room, Role.READER)
        .chain(
            decision ->
                decision.allowed()
                    ? place(room, subscriber, decision.mayCreate(), TRIES)
                        .chain(subscription -> stillAllowed(principal, room, subscription))
                    : Uni.createFrom().nullItem());
  }

  /**
   * A removal between the decision and the place would tell nobody, so the right is looked up once
   * more: whoever is removed from now on is found at its place (R5).
   */
  private Uni<@Nullable Subscription> stillAllowed(
      Principal principal, RoomId room, @Nullable Subscription subscription) {
    if (subscription == null) {
      return Uni.createFrom().nullItem();
    }
    return policy
        .decide(principal, room, Role.READER)
        .onFailure()
        .invoke(subscription::cancel)
        .map(decision -> decision.allowed() ? subscription : cancelled(subscription));
  }

  private static @Nullable Subscription cancelled(Subscription subscription) {
    subscription.cancel();
    return null;
  }

  /** The first look may be shared with somebody who asked before the room was made. */
  private Uni<@Nullable Subscription> place(
      RoomId room, Subscriber subscriber, boolean mayCreate, int triesLeft) {
    return hub.subscribe(room, subscriber)
        .chain(
            subscription -> {
              if (subscription != null || !mayCreate) {
                return Uni.createFrom().item(subscription);
              }
              return triesLeft == 0
                  ? Uni.createFrom().failure(new Contended("The room is being closed and made"))
                  : rooms
                      .create(room, null)
                      .chain(() -> place(room, subscriber, true, triesLeft - 1));
            });
  }
}
