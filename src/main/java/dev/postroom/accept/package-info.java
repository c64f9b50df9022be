/**
 * A command becomes a message, once.
 *
 * <p>A {@link dev.postroom.accept.Submission} goes through rules, rate and right into the combiner,
 * which gives everything that queued while a lane's last transaction ran to the next one: no timer,
 * so a lone command waits for nothing. The ledger's one transaction locks the rooms, looks the keys
 * up, hands out numbers and inserts message and outbox row.
 *
 * <p>Concurrency: the door is safe for any thread; each lane of rooms has at most one transaction
 * in flight.
 *
 * <p>Life cycle: lanes live as long as the process; what is queued at shutdown is finished first.
 *
 * <p>Invariants: a UNIQUE constraint decides (A1), no map in memory does. The answer comes after
 * the commit (A4). An unknown outcome is looked up before anything is said (A8). A bad command
 * fails alone (A9). Numbers are dense and follow commit order (N1); commands of one origin in one
 * room are decided in the order in which they came (N2). The accept statement writes the outbox
 * table itself: one transaction, one file.
 *
 * <p>Imports: everything below it, {@code fanout} included, because the announcement is a plain
 * call after the commit, not an event.
 */
@NullMarked
package dev.postroom.accept;

import org.jspecify.annotations.NullMarked;
