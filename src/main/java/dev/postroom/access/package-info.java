/**
 * Who acts, and what they may do in a room.
 *
 * <p>Concurrency: safe for any thread.
 *
 * <p>Life cycle: a {@link dev.postroom.access.Principal} is made from a verified token and lives as
 * long as the socket or the request that showed it. The development issuer exists only while no
 * verification key is configured and the service listens on loopback.
 *
 * <p>Invariants: the participant comes from the token, never from a frame. Rights are asked anew at
 * every send, join and resume (A6, R5), nothing is remembered between two questions. A room that
 * does not exist and a room that is closed to the asker look the same.
 *
 * <p>Imports: {@code room}, {@code db}, {@code protocol}; the upgrade gate also the socket library.
 */
@NullMarked
package dev.postroom.access;

import org.jspecify.annotations.NullMarked;
