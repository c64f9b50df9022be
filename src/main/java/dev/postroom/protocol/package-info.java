/**
 * Names and shapes on the wire: frames, error and close codes, and the one codec between frames and
 * text.
 *
 * <p>Concurrency: values are immutable, the codec is stateless; safe for any thread.
 *
 * <p>Life cycle: none.
 *
 * <p>Invariants: decoding never throws and never trusts a field's type; an unknown field is
 * ignored, an unknown {@code type} is an answer. A new {@link dev.postroom.protocol.ClientFrame}
 * breaks every handler at compile time. Types that hold text or tokens keep them out of {@code
 * toString}.
 *
 * <p>Imports: nothing of ours. This is the leaf that everyone else may read.
 */
@NullMarked
package dev.postroom.protocol;

import org.jspecify.annotations.NullMarked;
