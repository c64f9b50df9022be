package dev.postroom.inbound;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.accept.Submission;
import dev.postroom.sink.webhook.Signature;
import dev.postroom.sink.webhook.SigningSecret;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcesTest {
  private static final String SECRET = "whsec_QnJpZGdlU2VjcmV0QnJpZGdlU2VjcmV0";
  private static final String TOKEN = "a-token-of-some-length";
  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

  private static Sources sources(String... changes) {
    Map<String, String> settings = new HashMap<>();
    settings.put("postroom.inbound.erp.secrets", SECRET);
    settings.put("postroom.inbound.erp.room", "r");
    for (int i = 0; i < changes.length; i += 2) {
      settings.put("postroom.inbound.erp." + changes[i], changes[i + 1]);
    }
    settings.values().removeIf(String::isEmpty);
    return new Sources(
        new SmallRyeConfigBuilder()
            .withMapping(InboundConfig.class)
            .withConverter(Duration.class, 200, new DurationConverter())
            .withDefaultValues(settings)
            .build()
            .getConfigMapping(InboundConfig.class));
  }

  private static Proof signed(Duration ago, byte[] body) {
    long at = NOW.minus(ago).getEpochSecond();
    String signature = Signature.sign("e1", at, body, List.of(SigningSecret.parse(SECRET)));
    return new Proof("e1", Long.toString(at), signature, null, body);
  }

  private static Proof token(String token) {
    return Proof.of(Map.of("authorization", "bearer " + token), new byte[0]);
  }

  @Test
  @DisplayName("W12: signed within the tolerance, and over these bytes")
  void signature() {
    byte[] body = "{}".getBytes(UTF_8);
    Source source = sources().named("erp");
    assertTrue(source.isProvenBy(signed(Duration.ofMinutes(5), body), NOW));
    assertTrue(source.isProvenBy(signed(Duration.ofMinutes(-5), body), NOW));
    assertFalse(source.isProvenBy(signed(Duration.ofSeconds(301), body), NOW));
    Source patient = sources("tolerance", "1H").named("erp");
    assertTrue(patient.isProvenBy(signed(Duration.ofSeconds(301), body), NOW));
    Proof good = signed(Duration.ZERO, body);
    Proof other =
        new Proof(good.id(), good.timestamp(), good.signature(), null, "{ }".getBytes(UTF_8));
    assertFalse(source.isProvenBy(other, NOW));
  }

  @Test
  @DisplayName("a token, where one is set, and only that one")
  void tokens() {
    Source source = sources("token", TOKEN).named("erp");
    assertTrue(source.isProvenBy(token(TOKEN), NOW));
    assertTrue(source.isProvenBy(signed(Duration.ZERO, new byte[0]), NOW));
    assertFalse(source.isProvenBy(token(TOKEN + "x"), NOW));
    assertFalse(source.isProvenBy(token(""), NOW));
    assertFalse(sources().named("erp").isProvenBy(token(TOKEN), NOW));
    Proof basic = Proof.of(Map.of("authorization", "Basic " + TOKEN), new byte[0]);
    assertFalse(source.isProvenBy(basic, NOW));
  }

  @Test
  @DisplayName("nobody can prove to be a source that is not configured")
  void nobody() {
    Source nobody = sources("token", TOKEN).named("crm");
    assertFalse(nobody.isProvenBy(token(TOKEN), NOW));
    assertFalse(nobody.isProvenBy(signed(Duration.ZERO, new byte[0]), NOW));
  }

  private static Submission submission(Sources sources, String id, String data) {
    String json =
        "{\"specversion\":\"1.0\",\"id\":\"%s\",\"source\":\"/s\",\"type\":\"t\",\"data\":%s}";
    return sources
        .named("erp")
        .submission(
            EventReader.read(
                "application/cloudevents+json",
                Map.of(),
                json.formatted(id, data).getBytes(UTF_8)));
  }

  @Test
  void defaults() {
    Submission made = submission(sources(), "e1", "{\"text\":\"hi\"}");
    assertEquals("r", made.room());
    assertEquals("inbound:erp", made.principal().participant());
    assertEquals("erp", made.principal().name());
    assertEquals("hi", made.text());
    assertEquals("e1", made.clientMessageId());
  }

  @Test
  @DisplayName("H5: the event's id is the command key; one that cannot be is hashed")
  void keys() {
    String longest = "x".repeat(128);
    assertEquals("a b~", Source.key("a b~"));
    assertEquals(longest, Source.key(longest));
    assertEquals("sha256:SplVfkAzw1Od4utlRyAXytX5VX96BiWgnxw_biumnEw", Source.key("\u00e9"));
    assertEquals(50, Source.key(longest + "x").length());
    assertNotEquals(Source.key(longest + "x"), Source.key(longest + "y"));
  }

  @Test
  @DisplayName("S2: what the event makes of participant and name is held to their rules")
  void rules() {
    Sources sources = sources("participant", "p{/data/p}", "name", "{/data/n}");
    String good = "{\"text\":\"x\",\"p\":\"1\",\"n\":\"N\"}";
    assertEquals("p1", submission(sources, "1", good).principal().participant());
    String badName = good.replace("\"N\"", "\" \"");
    assertEquals(
        "name", assertThrows(Unfit.class, () -> submission(sources, "1", badName)).field());
    String badParticipant = good.replace("\"1\"", "\"\\n\"");
    assertEquals(
        "participant",
        assertThrows(Unfit.class, () -> submission(sources, "1", badParticipant)).field());
  }

  @ParameterizedTest
  @DisplayName("a setting that cannot be meant refuses the start in a sentence that names it")
  @CsvSource({
    "secrets, '', postroom.inbound.erp needs secrets or token",
    "secrets, whsec_short, postroom.inbound.erp.secrets",
    "token, short, postroom.inbound.erp.token",
    "token, with a space in its middle, postroom.inbound.erp.token",
    "tolerance, 0S, postroom.inbound.erp.tolerance",
    "room, a b, postroom.inbound.erp.room",
    "room, {/data, postroom.inbound.erp.room",
    "participant, ' x ', postroom.inbound.erp.participant",
    "name, ' ', postroom.inbound.erp.name",
  })
  void refused(String setting, String value, String told) {
    ConfigurationException refusal =
        assertThrows(ConfigurationException.class, () -> sources(setting, value));
    assertTrue(refusal.getMessage().contains(told), refusal.getMessage());
    assertFalse(refusal.getMessage().contains("whsec_short"), refusal.getMessage());
  }
}
