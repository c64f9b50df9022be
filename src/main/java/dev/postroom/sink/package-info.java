/**
 * Where events go.
 *
 * <p>{@code Envelope} turns an event into a CloudEvent; {@code webhook} posts it, signed, to a
 * receiver of somebody else's.
 *
 * <p>Concurrency: envelopes, signatures and sealed secrets are stateless, safe for any thread; a
 * sink is called from the relay's event loop and never blocks it.
 *
 * <p>Life cycle: one HTTP client for all webhook sinks, as long as the process lives.
 *
 * <p>Invariants: every attempt of an event has the same bytes and the same id (H5), and a signature
 * of its own. Only addresses that were checked are connected to, redirects are not followed, and
 * nothing that a receiver answers beyond its status is kept or shown.
 *
 * <p>Imports: {@code outbox}, whose sinks these are, and {@code room} for what a message is.
 */
@NullMarked
package dev.postroom.sink;

import org.jspecify.annotations.NullMarked;
