package dev.postroom.inbound;

import dev.postroom.access.Participants;
import dev.postroom.inbound.InboundConfig.SourceConfig;
import dev.postroom.room.RoomId;
import dev.postroom.sink.webhook.Signature;
import dev.postroom.sink.webhook.SigningSecret;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The sources that are configured. Refuses the start where one of them cannot be meant so. Safe for
 * any thread.
 */
@Singleton
public final class Sources {

  private static final String PREFIX = "postroom.inbound.";
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final int LEAST_TOKEN = 16;

  private final Map<String, Source> byName = new HashMap<>();
  private final Source nobody;

  Sources(InboundConfig config) {
    config.sources().forEach((name, settings) -> byName.put(name, read(name, settings)));
    this.nobody = nobody();
  }

  /** Makes Quarkus read the settings now. */
  void onStart(@Observes @Priority(-20) StartupEvent started) {}

  /** That source; where there is none, one to which nobody can prove anything. */
  public Source named(String name) {
    return byName.getOrDefault(name, nobody);
  }

  /** Its proofs are checked as any other's, against a secret that nobody knows. */
  private static Source nobody() {
    SigningSecret secret = SigningSecret.generate(new SecureRandom());
    Template empty = Template.parse("");
    return new Source(
        List.of(secret),
        secret.text(),
        Signature.TOLERANCE,
        Set.of(),
        new Source.Mapping(empty, empty, empty, empty, false));
  }

  private static Source read(String name, SourceConfig settings) {
    String at = PREFIX + name;
    require(
        NAME.matcher(name).matches(),
        at + ": a source's name must be 1 to 64 of a-z 0-9 -, beginning with a letter or digit.");
    List<String> secrets = settings.secrets().orElse(List.of());
    require(
        !secrets.isEmpty() || settings.token().isPresent(),
        at + " needs secrets or token: without either nobody could deliver to it.");
    require(
        settings.token().map(Sources::isToken).orElse(true),
        at + ".token must be at least " + LEAST_TOKEN + " printable ASCII characters, no spaces.");
    require(
        !settings.tolerance().isNegative() && !settings.tolerance().isZero(),
        at + ".tolerance must be longer than nothing.");
    return new Source(
        secrets.stream().map(secret -> secret(at, secret)).toList(),
        settings.token().orElse(null),
        settings.tolerance(),
        Set.copyOf(settings.types()),
        new Source.Mapping(
            template(at + ".room", settings.room(), RoomId::isValid, RoomId.RULE),
            template(
                at + ".participant",
                settings.participant().orElse("inbound:" + name),
                Participants::isValid,
                Participants.RULE),
            template(
                at + ".name",
                settings.name().orElse(name),
                Participants::isValidName,
                Participants.NAME_RULE),
            template(at + ".text", settings.text(), text -> !text.isEmpty(), "not empty"),
            settings.createRooms()));
  }

  private static SigningSecret secret(String at, String text) {
    try {
      return SigningSecret.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(at + ".secrets: " + e.getMessage());
    }
  }

  private static boolean isToken(String token) {
    return token.length() >= LEAST_TOKEN && token.chars().allMatch(c -> c > 0x20 && c <= 0x7E);
  }

  /** What has no place of an event in it can be checked now. */
  private static Template template(String at, String text, Predicate<String> rule, String words) {
    Template template;
    try {
      template = Template.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(at + ": " + e.getMessage() + ".");
    }
    String fixed = template.fixed();
    require(fixed == null || rule.test(fixed), at + " must be " + words + ".");
    return template;
  }

  private static void require(boolean good, String otherwise) {
    if (!good) {
      throw new ConfigurationException(otherwise);
    }
  }
}
