package dev.postroom.room;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Positive;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** How long what is in a room is kept. By default everything lives as long as the room. */
@ConfigMapping(prefix = "postroom.keep")
public interface RoomConfig {

  /** Text of messages older than this is purged. Absent: kept as long as the room. */
  Optional<
          @DurationMin(millis = 1, message = "must be at least 1ms")
          @DurationMax(days = 36500, message = "must be at most 36500 days") Duration>
      textFor();

  /** Text beyond this many newest messages of a room is purged. Absent: no bound. */
  @Positive
  OptionalLong textCount();

  /**
   * Command keys of purged messages are kept for this long after acceptance; a repeat that comes
   * later is a new message. Absent: for ever. Never shorter than text is kept.
   */
  Optional<
          @DurationMin(millis = 1, message = "must be at least 1ms")
          @DurationMax(days = 36500, message = "must be at most 36500 days") Duration>
      keysFor();

  /** What was in a closed room is removed this long after the closing. */
  @WithDefault("1D")
  @DurationMin(millis = 0, message = "must not be negative")
  @DurationMax(days = 36500, message = "must be at most 36500 days")
  Duration closedFor();

  /** How often is looked for what need not be kept any more. */
  @WithDefault("1M")
  @DurationMin(seconds = 1, message = "must be at least 1s")
  @DurationMax(days = 36500, message = "must be at most 36500 days")
  Duration every();
}
