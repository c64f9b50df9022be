/**
 * Webhooks: an event is one signed POST (Standard Webhooks), whose status is the answer.
 *
 * <p>Front doors: {@link dev.postroom.sink.webhook.Secrets} keeps signing secrets, {@link
 * dev.postroom.sink.webhook.Signature} makes and checks signatures. {@code WebhookType} opens sinks
 * for the relay; one delivery goes {@code WebhookSink} → {@code Courier} → {@code Attempt} → {@code
 * Answer}.
 */
@NullMarked
package dev.postroom.sink.webhook;

import org.jspecify.annotations.NullMarked;
