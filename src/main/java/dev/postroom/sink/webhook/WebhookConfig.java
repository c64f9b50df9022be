package dev.postroom.sink.webhook;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** Where webhooks may go, and the bounds of one attempt. */
@ConfigMapping(prefix = "postroom.webhook")
public interface WebhookConfig {

  /**
   * Blocks of addresses ({@code 10.0.0.0/8,fd00::/8}) to which webhooks may go although they are
   * not public, by http too and on any port. Absent: none.
   */
  Optional<List<String>> allow();

  /** Ports to which webhooks may go by https outside the allowed blocks. */
  @WithDefault("443,8443")
  List<@Positive @Max(65535) Integer> ports();

  /** How long an attempt may take from looking the name up to the status of the answer. */
  @WithDefault("15S")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration deadline();

  /** How long of it connecting to one address may take. */
  @WithDefault("5S")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration connectTimeout();

  /** Bytes of an answer's body that are read, and dropped; over it the connection ends. */
  @WithDefault("65536")
  @Positive
  @Max(16_777_216)
  int answerBytes();

  /** The longest pause that a receiver can ask for by {@code Retry-After}. */
  @WithDefault("1H")
  @DurationMin(seconds = 1, message = "must be at least 1s")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration retryAfterMax();

  /** Connections at once of one sink to one address; more attempts wait, within the deadline. */
  @WithDefault("64")
  @Positive
  @Max(10_000)
  int connections();

  /** What receivers read in {@code User-Agent}. */
  @WithDefault("Postroom")
  String userAgent();
}
