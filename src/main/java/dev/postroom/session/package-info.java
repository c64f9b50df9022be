/**
 * One socket: frames come in through an ordered, bounded inbox, one method a frame, and everything
 * goes out through one mailbox.
 *
 * <p>Concurrency: a session is confined to its connection's event loop; the registry is safe for
 * any thread.
 *
 * <p>Life cycle: made in the synchronous part of opening, welcomed once the token is verified, gone
 * with the socket. It keeps nothing that a cursor and a token do not bring back (R3).
 *
 * <p>Invariants: checks run in the order of A6. The answer to a join precedes every live event of
 * the room (R2). Nothing is unbounded in either direction (S1): over {@code pendingCommands} frames
 * are answered {@code busy}, over the mailbox live events stop.
 *
 * <p>Imports: all of the core; the only package, with the upgrade gate, that knows the socket
 * library.
 */
@NullMarked
package dev.postroom.session;

import org.jspecify.annotations.NullMarked;
