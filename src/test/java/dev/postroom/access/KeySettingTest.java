package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySettingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "127.255.3.4", "::1", "0:0:0:0:0:0:0:1", "localhost", "LocalHost"})
  void onlyThisMachine(String host) {
    assertTrue(KeySetting.isLoopback(host));
    assertInstanceOf(
        KeySetting.Development.class, KeySetting.of(config(Map.of("quarkus.http.host", host))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "::",
        "10.0.0.1",
        "128.0.0.1",
        "localhost.example.com",
        "127.0.0.1.example.com",
        "example.com",
        "1.2.3.4.5.6",
        ""
      })
  void othersToo(String host) {
    assertFalse(KeySetting.isLoopback(host));
  }

  @Test
  @DisplayName("without a key and reachable by others: refused, in one line that says how")
  void refused() {
    ConfigurationException refused =
        assertThrows(
            ConfigurationException.class,
            () -> KeySetting.of(config(Map.of("quarkus.http.host", "0.0.0.0"))));
    assertEquals(1, refused.getMessage().lines().count());
    assertTrue(refused.getMessage().contains("MP_JWT_VERIFY_PUBLICKEY_LOCATION"));
  }

  @Test
  void withAKeyAnyHostWillDo() {
    Config config =
        config(
            Map.of("quarkus.http.host", "0.0.0.0", "mp.jwt.verify.publickey.location", "/k.pem"));
    assertEquals(new KeySetting.Location("/k.pem"), KeySetting.of(config));
  }

  @Test
  void anEmptyKeyIsNoKey() {
    Config config = config(Map.of("quarkus.http.host", "127.0.0.1", "mp.jwt.verify.publickey", ""));
    assertInstanceOf(KeySetting.Development.class, KeySetting.of(config));
  }

  private static Config config(Map<String, String> values) {
    return new SmallRyeConfigBuilder()
        .withSources(new PropertiesConfigSource(values, "test", 100))
        .build();
  }
}
