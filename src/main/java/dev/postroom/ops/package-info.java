/**
 * Is it well? Health checks, the audit of a room, and the way out of a node that is told to stop.
 *
 * <p>Concurrency: stateless; checks answer from what others have noted, the audit is one statement
 * with its own deadline.
 *
 * <p>Life cycle: that of the process. {@link dev.postroom.ops.Drain} ends it, before anything else
 * of the service is stopped.
 *
 * <p>Invariants: liveness never depends on the database (S3). The audit is computed from the tables
 * alone, inside PostgreSQL, so that it neither trusts the code it checks nor holds a room in memory
 * (S5).
 *
 * <p>Imports: anybody; nobody imports it.
 */
@NullMarked
package dev.postroom.ops;

import org.jspecify.annotations.NullMarked;
