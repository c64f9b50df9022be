/**
 * Hands accepted messages over to sinks: at least once, in room order, publish first and mark
 * afterwards (H1–H3).
 *
 * <p>Accepting leaves a row in {@code outbox}. {@link dev.postroom.outbox.Relay} looks for such
 * rows, rings them into the lanes of the sinks that want the room ({@code Outbox}), and wakes one
 * {@code SinkPump} per sink. A pump claims due lanes as units ({@code Lanes}), hands their events
 * to the {@link dev.postroom.outbox.Sink} one after the other ({@code LaneRun}), and has what
 * happened written ({@code Settler}). No transaction is open during a call to a sink (H2).
 *
 * <p>Concurrency: all of one node's relay is confined to one event loop, so nothing in it is
 * locked; what administrators ask for ({@link dev.postroom.outbox.Sinks}, lists, redrive) is safe
 * for any thread. Nodes do not talk to each other: a lane is leased by its row, on the database's
 * clock.
 *
 * <p>Life cycle: pumps come and go with their sinks. A node that stops ends what is under way and
 * gives its leases back; one that dies lets go of them after their time.
 *
 * <p>Invariants: nothing is marked that was not positively answered. A lane moves up only. Locks
 * are taken in the order (sink, room).
 *
 * <p>Imports: {@code room}, {@code db}.
 */
@NullMarked
package dev.postroom.outbox;

import org.jspecify.annotations.NullMarked;
