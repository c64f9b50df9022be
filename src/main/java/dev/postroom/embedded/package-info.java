/**
 * The PostgreSQL that the default run brings along: a real server of its own, in a directory.
 *
 * <p>Reading order: {@code DataDirectory} says where, and holds the lock; {@code Binaries} unpacks
 * the server; {@code Launcher} runs its programs, also for root, whom PostgreSQL refuses; {@code
 * Cluster} creates, starts and stops; {@code EmbeddedDatabase} is what {@code Main} sees.
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
 * <p>Imports: {@code boot}, to say what is wrong; nobody but {@code Main} imports it.
 */
@NullMarked
package dev.postroom.embedded;

import org.jspecify.annotations.NullMarked;
