/**
 * The PostgreSQL that the default run brings along: a real server of its own, in a directory.
 *
 * <p>Concurrency: used by the main thread at start and by the shutdown hook.
 *
 * <p>Life cycle: started before Quarkus, stopped after it. A server left behind by a killed process
 * is stopped by the next start on the same directory.
 *
 * <p>Invariants: durable: {@code fsync}, {@code synchronous_commit} and {@code full_page_writes}
 * are on. A directory has at most one owner. What goes wrong is said in one line that tells what to
 * do.
 *
 * <p>Imports: nothing of ours, and nobody but {@code Main} imports it.
 */
@NullMarked
package dev.postroom.embedded;

import org.jspecify.annotations.NullMarked;
