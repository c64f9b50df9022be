package dev.postroom.access;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/**
 * Who may come in and how tokens are checked. What tokens must say is set by the standard names
 * {@code mp.jwt.verify.publickey}, {@code .publickey.location}, {@code .issuer}, {@code .audiences}
 * and {@code .clock.skew}.
 */
@ConfigMapping(prefix = "postroom.access")
public interface AccessConfig {

  /**
   * Origins, like {@code https://chat.example.com}, from which browsers may open a WebSocket,
   * besides the service's own host; {@code *} for any.
   */
  Optional<Set<String>> origins();

  /** Age at which keys read from a file or URL are read again. */
  @WithDefault("10M")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration keysRefresh();

  /**
   * Least time between two readings of the keys that are caused by tokens with an unknown key: as
   * often can a stranger make the service ask for them.
   */
  @WithDefault("5S")
  @DurationMin(millis = 0, message = "must not be negative")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration keysAgainAfter();

  /** How long one reading of the keys may take. */
  @WithDefault("3S")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration keysDeadline();

  /** How long a token of the development issuer is good. */
  @WithDefault("30D")
  @DurationMin(seconds = 1, message = "must be at least 1s")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration developmentTokenLife();
}
