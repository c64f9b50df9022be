package dev.postroom.session;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** What one socket may ask for, and what it may cost. */
@ConfigMapping(prefix = "postroom.session")
public interface SessionConfig {

  /** Sockets of this node; one more is closed with 1013. */
  @WithDefault("20000")
  @Positive
  @Max(1_000_000)
  int maxSockets();

  /** Unanswered frames of one socket; one more is answered {@code busy}. */
  @WithDefault("64")
  @Positive
  @Max(10_000)
  int pendingCommands();

  /** Rooms that one socket may have joined; one more is answered {@code invalid}. */
  @WithDefault("256")
  @Positive
  @Max(10_000)
  int maxRooms();

  /** Unreadable frames in a row after which a socket is closed with 4400. */
  @WithDefault("100")
  @Positive
  int maxBadFrames();

  /** Frames that wait for a slow reader; over it live events stop and the log takes over. */
  @WithDefault("256")
  @Positive
  @Max(1_000_000)
  int mailboxFrames();

  /**
   * Bytes that wait for a slow reader, those handed to the network included. Over it live events
   * stop, the reader's own frames wait, and no page is read for it; what is being read by then may
   * add half as much and one frame.
   */
  @WithDefault("1048576")
  @Positive
  @Max(1_073_741_824)
  long mailboxBytes();

  /** A reader that takes nothing for this long is closed with 4408. */
  @WithDefault("30s")
  @DurationMin(millis = 100, message = "must be at least 100ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration progressTimeout();

  /** How often the server pings; twice this without a sign of life ends a socket. */
  @WithDefault("25s")
  @DurationMin(millis = 100, message = "must be at least 100ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration heartbeat();

  /** Messages in a snapshot, and in a page of history unless a smaller limit is asked for. */
  @WithDefault("50")
  @Positive
  @Max(1000)
  int snapshotMessages();

  /** Missed messages up to which a resume is answered by delta; beyond it by snapshot. */
  @WithDefault("1000")
  @PositiveOrZero
  int deltaMessages();

  /** Messages in one delta frame. */
  @WithDefault("100")
  @Positive
  @Max(1000)
  int frameMessages();

  /** Bytes of messages in one frame of many; a single longer message still fits. */
  @WithDefault("262144")
  @Positive
  @Max(16_777_216)
  long frameBytes();

  /**
   * After a temporary refusal, later commands of the room are refused until the refused one is
   * repeated, so that order is kept; after this long it counts as given up.
   */
  @WithDefault("10s")
  @DurationMin(millis = 0, message = "must not be negative")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration repeatHold();

  /**
   * A stopping node says {@code drain} to its sockets one slice after the other, over this long at
   * the most.
   */
  @WithDefault("5s")
  @DurationMin(millis = 0, message = "must not be negative")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration drain();

  /**
   * How long a stopping node then waits for the commands that had come, and for clients to take
   * their answers and the close; what is left is cut off.
   */
  @WithDefault("5s")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration drainWithin();
}
