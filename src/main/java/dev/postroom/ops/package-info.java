/**
 * Is it well? Health checks and the audit of a room.
 *
 * <p>Concurrency: stateless; checks answer from what others have noted, the audit is one statement
 * with its own deadline.
 *
 * <p>Life cycle: that of the process.
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
