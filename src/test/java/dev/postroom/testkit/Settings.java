package dev.postroom.testkit;

import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;

/** A group of settings without Quarkus; what is not given has its default. */
public final class Settings {
  private Settings() {}

  /** An anonymous class would not do: with bounds on its methods it fails Quarkus's build. */
  public static <T> T of(Class<T> group, Map<String, String> values) {
    return new SmallRyeConfigBuilder()
        .withMapping(group)
        .withConverter(Duration.class, 200, new DurationConverter())
        .withDefaultValues(values)
        .build()
        .getConfigMapping(group);
  }
}
