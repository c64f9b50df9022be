/**
 * What stands between the command line and Quarkus: the configured database is looked at, what is
 * wrong is said in one line, and what to open is printed.
 *
 * <p>Concurrency: everything here runs on the main thread.
 *
 * <p>Life cycle: {@link dev.postroom.boot.ExternalDatabase} before Quarkus starts, {@link
 * dev.postroom.boot.JdbcUrlSource} while it reads its configuration, {@link
 * dev.postroom.boot.Announcement} when it answers, {@link dev.postroom.boot.StartFailure} when it
 * does not.
 *
 * <p>Invariants: whatever a person can put right is a {@link dev.postroom.boot.StartRefused}: one
 * line that says what happened and what to do, without passwords.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.postroom.boot;

import org.jspecify.annotations.NullMarked;
