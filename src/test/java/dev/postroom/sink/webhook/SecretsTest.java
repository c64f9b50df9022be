package dev.postroom.sink.webhook;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);
  private static final String OTHER = KEY.replaceFirst("A", "B");

  private final Secrets secrets = with(KEY);
  private final SigningSecret secret = secrets.generate();

  static Secrets with(String... keys) {
    return new Secrets(() -> keys.length == 0 ? Optional.empty() : Optional.of(List.of(keys)));
  }

  @Test
  void whatWasSealedIsOpenedAgain() {
    byte[] sealed = secrets.seal(secret);
    assertEquals(secret.text(), secrets.open(sealed).text());
    assertEquals(secret.text(), with(" " + KEY + "\n").open(sealed).text());
    assertFalse(new String(sealed, ISO_8859_1).contains(secret.text().substring(6)));
  }

  @Test
  void theSameIsSealedDifferentlyEachTime() {
    assertNotEquals(
        Base64.getEncoder().encodeToString(secrets.seal(secret)),
        Base64.getEncoder().encodeToString(secrets.seal(secret)));
  }

  @Test
  void everyChangedByteIsFound() {
    byte[] sealed = secrets.seal(secret);
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertThrows(SecretsUnavailable.class, () -> secrets.open(changed), "byte " + i);
      byte[] cut = Arrays.copyOf(sealed, i);
      assertThrows(SecretsUnavailable.class, () -> secrets.open(cut), "length " + i);
    }
  }

  @Test
  void withoutAKeyNothingIsSealed() {
    SecretsUnavailable none = assertThrows(SecretsUnavailable.class, () -> with().seal(secret));
    assertTrue(none.getMessage().contains("set postroom.secrets.key"), none.getMessage());
    byte[] sealed = secrets.seal(secret);
    assertThrows(SecretsUnavailable.class, () -> with().open(sealed));
  }

  @Test
  void anotherKeyIsNamedAsTheReason() {
    byte[] sealed = secrets.seal(secret);
    SecretsUnavailable other =
        assertThrows(SecretsUnavailable.class, () -> with(OTHER).open(sealed));
    assertTrue(other.getMessage().contains("another key"), other.getMessage());
  }

  @Test
  void theFirstKeySealsAndAllOpen() {
    byte[] before = secrets.seal(secret);
    Secrets both = with(OTHER, KEY);
    byte[] since = both.seal(secret);
    assertEquals(secret.text(), both.open(before).text());
    assertEquals(secret.text(), both.open(since).text());
    assertEquals(secret.text(), with(OTHER).open(since).text(), "the old key may go then");
    assertThrows(SecretsUnavailable.class, () -> with(OTHER).open(before));
    assertThrows(SecretsUnavailable.class, () -> secrets.open(since));
  }

  @Test
  void aWrongKeyBehindAGoodOneRefusesTheStartToo() {
    assertThrows(ConfigurationException.class, () -> with(KEY, "AAAA"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "secret", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA*"})
  void aKeyOfTheWrongLengthRefusesTheStart(String key) {
    ConfigurationException refused = assertThrows(ConfigurationException.class, () -> with(key));
    assertEquals(
        "postroom.secrets.key must be base64 of 32 bytes: make one by openssl rand -base64 32."
            + " Several are separated by commas.",
        refused.getMessage());
  }
}
