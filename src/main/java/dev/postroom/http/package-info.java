/**
 * The same commands and pages as HTTP resources, with errors as problem documents (RFC 9457).
 *
 * <p>Concurrency: resources are stateless; methods return a {@code Uni} and never block.
 *
 * <p>Life cycle: one request.
 *
 * <p>Invariants: one key space with the socket: an {@code Idempotency-Key} is a {@code
 * clientMessageId}. An {@link dev.postroom.protocol.ErrorCode} has one status, mapped in one place.
 *
 * <p>Imports: {@code accept}, {@code access}, {@code room}, {@code db}, {@code protocol}; neither
 * sockets nor fan-out.
 */
@NullMarked
package dev.postroom.http;

import org.jspecify.annotations.NullMarked;
