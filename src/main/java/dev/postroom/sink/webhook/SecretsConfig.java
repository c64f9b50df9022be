package dev.postroom.sink.webhook;

import io.smallrye.config.ConfigMapping;
import java.util.List;
import java.util.Optional;

/** How secrets are kept. */
@ConfigMapping(prefix = "postroom.secrets")
public interface SecretsConfig {

  /**
   * Base64 of the 32 bytes with which signing secrets are encrypted in the database; several while
   * one is replaced: the first encrypts, all decrypt. Absent: in the default run from the data
   * directory, otherwise no secrets can be kept.
   */
  Optional<List<String>> key();
}
