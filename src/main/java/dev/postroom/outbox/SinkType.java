package dev.postroom.outbox;

import org.jspecify.annotations.Nullable;

/** A kind of sink, such as webhooks. Every bean of this type is offered. */
public interface SinkType {

  /** The word in {@code type}. */
  String name();

  /** What is wrong with the target, in a sentence, or null. */
  @Nullable String wrong(String target);

  /** A sink for the settings; a new one is opened whenever they change. */
  Sink open(SinkRow settings);
}
