/**
 * Events of other systems become messages here.
 *
 * <p>A configured {@link dev.postroom.inbound.Source} says who may deliver (signature or token),
 * which types of event are taken, and from where in the event room, participant, name and text
 * come. What results is a {@link dev.postroom.accept.Submission} like any other, whose command key
 * is the event's id: insert-or-return is the inbox, so a packet number is applied once.
 *
 * <p>Concurrency: immutable after the start, safe for any thread.
 *
 * <p>Life cycle: sources are made from the settings at start, and a setting that cannot be meant
 * refuses the start.
 *
 * <p>Invariants: nothing of a request is read before it is proven; a source that does not exist and
 * a proof that is wrong look the same, and take the same way.
 *
 * <p>Imports: {@code accept} for what a command is, {@code access} for who acts, {@code room} for
 * names of rooms, and from {@code sink} the signatures that our own webhooks carry.
 */
@NullMarked
package dev.postroom.inbound;

import org.jspecify.annotations.NullMarked;
