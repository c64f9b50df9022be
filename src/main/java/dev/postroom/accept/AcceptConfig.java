package dev.postroom.accept;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** Bounds of accepting. */
@ConfigMapping(prefix = "postroom.accept")
public interface AcceptConfig {

  /** Longest text, in bytes of UTF-8; over it {@code too_large}. */
  @WithDefault("16384")
  @Positive
  @Max(1_048_576)
  int textBytes();

  /** Commands a second that one participant may send for long; 0 switches the bound off. */
  @WithDefault("200")
  @PositiveOrZero
  @Max(1_000_000)
  int rate();

  /** Commands that one participant may send at once after a rest. */
  @WithDefault("400")
  @Positive
  @Max(1_000_000)
  int burst();

  /** Transactions that may be in flight at once; a room always belongs to the same one. */
  @WithDefault("4")
  @Positive
  @Max(64)
  int lanes();

  /** Most commands in one transaction. */
  @WithDefault("256")
  @Positive
  @Max(10_000)
  int batchCommands();

  /** Most text in one transaction, in bytes of UTF-8. A single command always fits. */
  @WithDefault("1048576")
  @Positive
  @Max(67_108_864)
  int batchBytes();

  /** Commands waiting for a transaction, over all lanes; over it {@code busy}. */
  @WithDefault("10000")
  @Positive
  @Max(1_000_000)
  int queueCommands();

  /**
   * How long the truth is looked for when the connection died around COMMIT, before {@code
   * unavailable} is answered.
   */
  @WithDefault("10S")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration deadline();
}
