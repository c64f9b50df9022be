package dev.postroom.outbox;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** Bounds of handing over. */
@ConfigMapping(prefix = "postroom.relay")
public interface RelayConfig {

  /** Whether this node hands over. Accepting goes on without; another node has to do it then. */
  @WithDefault("true")
  boolean enabled();

  /** Lanes of one sink that may be under way at once on one node. */
  @WithDefault("32")
  @Positive
  @Max(1000)
  int lanesPerSink();

  /** Events of one lane before others have their turn. */
  @WithDefault("100")
  @Positive
  int laneEvents();

  /** Time of one lane before others have their turn. */
  @WithDefault("1S")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration laneTime();

  /** How long a lane is a node's without its renewal: what a node's death delays its lanes by. */
  @WithDefault("15S")
  @DurationMin(seconds = 1, message = "must be at least 1s")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration lease();

  /** How often everything is looked at, whatever was heard. */
  @WithDefault("15S")
  @DurationMin(seconds = 1, message = "must be at least 1s")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration sweep();

  /** Refusals of one event before it is parked or skipped. */
  @WithDefault("10")
  @Positive
  int eventFaults();

  /** Longest wait between two tries of an event that was refused; the first is about a second. */
  @WithDefault("10M")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration eventBackoffMax();

  /** Waits after failures of the sink in one lane, while other lanes succeed; then it is parked. */
  @WithDefault("5S,30S,5M,30M,2H,5H,10H")
  List<
          @DurationMin(millis = 1, message = "must be at least 1ms")
          @DurationMax(days = 3650, message = "must be at most 3650 days") Duration>
      schedule();

  /** Longest wait before a sink that fails as a whole is tried again; the first is a second. */
  @WithDefault("1M")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration circuitMax();

  /** How long events may wait for a sink that takes events before health says so. */
  @WithDefault("1M")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration alarmAfter();

  /** Most sinks. */
  @WithDefault("100")
  @Positive
  @Max(1000)
  int sinks();
}
