package dev.postroom.ops;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Positive;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;

/** What looking after the service may cost. */
@ConfigMapping(prefix = "postroom.ops")
public interface OpsConfig {

  /** The longest that one audit may take; over it the answer is {@code busy}. */
  @WithDefault("30s")
  @DurationMin(millis = 1, message = "must be at least 1ms")
  @DurationMax(days = 3650, message = "must be at most 3650 days")
  Duration auditDeadline();

  /** Audits at once on this node, each on a connection of the pool; over it {@code busy}. */
  @WithDefault("1")
  @Positive
  @Max(100)
  int auditsAtOnce();
}
