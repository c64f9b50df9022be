package dev.postroom.boot;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolSizeTest {

  @ParameterizedTest
  @ValueSource(strings = {"4", "20", " 100 "})
  void enough(String value) {
    assertDoesNotThrow(() -> PoolSize.check(config(value)));
  }

  @Test
  @DisplayName("Left out, it is Quarkus's default")
  void leftOut() {
    assertDoesNotThrow(() -> PoolSize.check(new SmallRyeConfigBuilder().build()));
  }

  @ParameterizedTest
  @DisplayName("S1, S2: what would leave no connection for work is refused by name")
  @ValueSource(strings = {"0", "1", "3", "-1", "many", "99999999999"})
  void tooFew(String value) {
    StartRefused refused = assertThrows(StartRefused.class, () -> PoolSize.check(config(value)));
    assertEquals(
        "QUARKUS_DATASOURCE_REACTIVE_MAX_SIZE is "
            + value
            + ", but the service needs at least 4 connections: set it to that or more, or leave it"
            + " out.",
        refused.getMessage());
  }

  private static SmallRyeConfig config(String value) {
    return new SmallRyeConfigBuilder()
        .withDefaultValue("quarkus.datasource.reactive.max-size", value)
        .build();
  }
}
