package dev.postroom.fanout;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How events reach this node's readers. */
@ConfigMapping(prefix = "postroom.fanout")
public interface FanoutConfig {

  /** The newest messages kept encoded per joined room, so that most joins need no query. */
  @WithDefault("128")
  @PositiveOrZero
  @Max(10_000)
  int recentMessages();

  /** Bytes of newest messages kept per joined room. */
  @WithDefault("262144")
  @PositiveOrZero
  long recentBytes();

  /** Bytes of newest messages kept in all rooms together; over it each room keeps fewer. */
  @WithDefault("67108864")
  @PositiveOrZero
  long recentTotalBytes();

  /** Bytes of older pages kept for readers that come back together. */
  @WithDefault("33554432")
  @PositiveOrZero
  long pageCacheBytes();

  /** How long a room without readers stays in memory, so that returning readers find it. */
  @WithDefault("30s")
  @DurationMin(millis = 0, message = "must not be negative")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration linger();

  /** Hints to other nodes are collected this long before they leave. */
  @WithDefault("15ms")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration hintInterval();

  /** How often the heads of joined rooms are looked up while hints from other nodes arrive. */
  @WithDefault("5s")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration sweepWithHints();

  /** The same while no hints can arrive (listener down, connection pooler in between). */
  @WithDefault("500ms")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration sweepWithoutHints();
}
