/**
 * Rooms, their epochs, and the log of their messages.
 *
 * <p>Concurrency: values are immutable, the beans stateless; safe for any thread.
 *
 * <p>Life cycle: a room is a row from its creation until it is closed and emptied. A room made
 * again under the same name is another row, hence another epoch (R4).
 *
 * <p>Invariants: pages come by {@code seq} alone (N4), ascending, one query each (R6). The epoch is
 * put together in one place. Numbers are handed out elsewhere: only {@code accept} writes the log.
 *
 * <p>Imports: {@code db}, {@code protocol}.
 */
@NullMarked
package dev.postroom.room;

import org.jspecify.annotations.NullMarked;
