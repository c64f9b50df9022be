package dev.postroom.sink.webhook;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
  List<Integer> ports();

  /** How long an attempt may take from looking the name up to the status of the answer. */
  @WithDefault("15S")
  Duration deadline();

  /** How long of it connecting to one address may take. */
  @WithDefault("5S")
  Duration connectTimeout();

  /** Bytes of an answer's body that are read, and dropped; over it the connection ends. */
  @WithDefault("65536")
  int answerBytes();

  /** The longest pause that a receiver can ask for by {@code Retry-After}. */
  @WithDefault("1H")
  Duration retryAfterMax();

  /** Connections at once to one address of a receiver; more attempts wait, within the deadline. */
  @WithDefault("64")
  int connections();

  /** What receivers read in {@code User-Agent}. */
  @WithDefault("Postroom")
  String userAgent();
}
