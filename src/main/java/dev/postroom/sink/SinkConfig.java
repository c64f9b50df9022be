package dev.postroom.sink;

import io.smallrye.config.ConfigMapping;
import java.net.URI;
import java.util.Optional;

/** What all sinks have in common. */
@ConfigMapping(prefix = "postroom.sink")
public interface SinkConfig {

  /**
   * What stands in front of {@code /rooms/…} in an event's {@code source}, such as {@code
   * https://chat.example.com}: tells several services apart. Absent: nothing.
   */
  Optional<URI> source();
}
