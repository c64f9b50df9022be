package dev.postroom.ops;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** What looking after the service may cost. */
@ConfigMapping(prefix = "postroom.ops")
public interface OpsConfig {

  /** The longest that one audit may take; over it the answer is {@code busy}. */
  @WithDefault("30s")
  Duration auditDeadline();

  /** Audits at once on this node, each on a connection of the pool; over it {@code busy}. */
  @WithDefault("1")
  int auditsAtOnce();
}
