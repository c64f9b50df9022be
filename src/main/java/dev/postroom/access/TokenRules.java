package dev.postroom.access;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * What a token must say about itself.
 *
 * @param issuer the {@code iss} wanted, or null for any
 * @param audiences one of these must be in {@code aud}; empty for any
 * @param leeway how far the issuer's clock and ours may differ: a token is taken so much before its
 *     {@code nbf} and after its {@code exp}
 */
record TokenRules(@Nullable String issuer, Set<String> audiences, Duration leeway) {

  /** 30 s: machines that keep time by NTP differ by far less. */
  static final Duration LEEWAY = Duration.ofSeconds(30);

  static TokenRules of(Config config) {
    Optional<Set<String>> audiences =
        config.getOptionalValue("mp.jwt.verify.audiences", String[].class).map(Set::of);
    Duration leeway =
        config
            .getOptionalValue("mp.jwt.verify.clock.skew", Integer.class)
            .map(Duration::ofSeconds)
            .orElse(LEEWAY);
    return new TokenRules(
        config.getOptionalValue("mp.jwt.verify.issuer", String.class).orElse(null),
        audiences.orElse(Set.of()),
        leeway);
  }
}
