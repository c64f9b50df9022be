/**
 * Committed messages to the room's subscribers, on this node and, by hints, on the others.
 *
 * <p>Concurrency: the hub is safe for any thread; a lane's state is guarded by the lane.
 *
 * <p>Life cycle: a lane is there while its room has a subscriber on this node.
 *
 * <p>Invariants: a lane emits {@code n + 1} only after {@code n} and asks the log when there is a
 * gap (N3). A message is encoded once per room (F2). A subscriber that does not keep up costs its
 * own bounded mailbox and catches up from the log (F1). A lost wake-up is repaired from the log, so
 * announcing cannot fail a send.
 *
 * <p>Imports: {@code room}, {@code db}, {@code protocol}. Not {@code session}: a subscriber is an
 * interface.
 */
@NullMarked
package dev.postroom.fanout;

import org.jspecify.annotations.NullMarked;
