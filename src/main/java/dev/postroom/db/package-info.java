/**
 * Statements with a deadline, on a pool that notices when the database is away.
 *
 * <p>Concurrency: safe for any thread; work runs on the event loop of the pooled connection.
 *
 * <p>Life cycle: the pool is Quarkus's; what is said to each new physical connection (timeouts, the
 * look at the cluster's identity) is said here, in the connect hook.
 *
 * <p>Invariants: a missed deadline fails the caller at once but never returns a connection with
 * commands pending to the pool. While the database counts as away or read-only calls fail fast
 * (S3), and no connection from before it turned read-only is used after. A {@code Throwable} of the
 * driver becomes an {@link dev.postroom.protocol.ErrorCode} here and nowhere else; constraint names
 * are read, message texts never.
 *
 * <p>Imports: {@code protocol}, for the codes.
 */
@NullMarked
package dev.postroom.db;

import org.jspecify.annotations.NullMarked;
