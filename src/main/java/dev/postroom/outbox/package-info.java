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
 * <p>All of one node's relay is confined to one event loop, so nothing in it is locked. Nodes do
 * not talk to each other: a lane is leased by its row, on the database's clock.
 */
@NullMarked
package dev.postroom.outbox;

import org.jspecify.annotations.NullMarked;
