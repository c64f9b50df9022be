package dev.postroom.access;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;

/**
 * Decides at start what tokens are checked against, and refuses to start where that is not said.
 */
@ApplicationScoped
class AccessStart {

  private static final Logger LOG = Logger.getLogger(AccessStart.class);

  private final Config settings;
  private final AccessConfig config;

  AccessStart(Config settings, AccessConfig config) {
    this.settings = settings;
    this.config = config;
  }

  /** Not proxied: asked for at every request. */
  @Produces
  @Singleton
  Keys keys(DevelopmentIssuer issuer, Vertx vertx) {
    KeySetting setting = KeySetting.of(settings);
    if (setting instanceof KeySetting.Inline inline) {
      return readKeys(() -> Uni.createFrom().item(inline.content()));
    }
    if (setting instanceof KeySetting.Location location) {
      return readKeys(new KeyLocation(location.place(), config.keysDeadline(), vertx)::read);
    }
    return issuer;
  }

  void onStart(@Observes @Priority(-10) StartupEvent started, Keys keys, MeterRegistry metrics) {
    KeySetting setting = KeySetting.of(settings);
    boolean insecure = setting instanceof KeySetting.Development;
    metrics.gauge("postroom.access.development.issuer", insecure ? 1 : 0);
    if (insecure) {
      LOG.warn(
          "Development run: POST /dev/tokens gives anybody on this machine a token for any name."
              + " For anything else set MP_JWT_VERIFY_PUBLICKEY_LOCATION.");
    } else {
      readNow(setting, keys);
      warnIfAnyTokenWillDo(keys.rules());
    }
  }

  /** A key that is not there should be known now, not when the first participant comes. */
  private void readNow(KeySetting setting, Keys keys) {
    try {
      // One second more than the reading itself may take.
      keys.current().await().atMost(config.keysDeadline().plus(Duration.ofSeconds(1)));
    } catch (RuntimeException e) {
      Throwable reason = e instanceof KeysUnavailable && e.getCause() != null ? e.getCause() : e;
      if (setting instanceof KeySetting.Location location && isRemote(location)) {
        // Its server may only be slower to come up than we are.
        LOG.warnf(
            "The keys that verify tokens cannot be read: %s. Nobody can come in until they can.",
            reason.getMessage());
        return;
      }
      throw new ConfigurationException(
          "The key that verifies tokens cannot be read"
              + (setting instanceof KeySetting.Location location ? " from " + location.place() : "")
              + ": "
              + reason.getMessage()
              + ". Correct MP_JWT_VERIFY_PUBLICKEY_LOCATION or MP_JWT_VERIFY_PUBLICKEY: a PEM"
              + " public key, a JWK or a JWKS.");
    }
  }

  private static boolean isRemote(KeySetting.Location location) {
    return location.place().startsWith("http://") || location.place().startsWith("https://");
  }

  private static void warnIfAnyTokenWillDo(TokenRules rules) {
    if (rules.issuer() == null && rules.audiences().isEmpty()) {
      LOG.warn(
          "Every token signed with the configured key is taken, also one made for another service."
              + " Set MP_JWT_VERIFY_ISSUER and MP_JWT_VERIFY_AUDIENCES.");
    }
  }

  private Keys readKeys(Supplier<Uni<String>> location) {
    return new ReadKeys(
        location,
        TokenRules.of(settings),
        config.keysRefresh(),
        config.keysAgainAfter(),
        Clock.systemUTC());
  }
}
