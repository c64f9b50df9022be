package dev.postroom.room;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** How long what is in a room is kept. By default everything lives as long as the room. */
@ConfigMapping(prefix = "postroom.keep")
public interface RoomConfig {

  /** Text of messages older than this is purged. Absent: kept as long as the room. */
  Optional<Duration> textFor();

  /** Text beyond this many newest messages of a room is purged. Absent: no bound. */
  OptionalLong textCount();

  /**
   * Command keys of purged messages are kept for this long after acceptance; a repeat that comes
   * later is a new message. Absent: for ever. Never shorter than text is kept.
   */
  Optional<Duration> keysFor();

  /** What was in a closed room is removed this long after the closing. */
  @WithDefault("1D")
  Duration closedFor();

  /** How often is looked for what need not be kept any more. */
  @WithDefault("1M")
  Duration every();
}
