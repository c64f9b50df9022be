package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.Sink;
import dev.postroom.outbox.SinkRow;
import dev.postroom.testkit.PgResource;
import dev.postroom.testkit.WebhookTrap;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(PgResource.class)
class WebhookTypeTest {

  @Inject WebhookType type;
  @Inject Secrets secrets;

  @Test
  @DisplayName("W4: what is delivered in the running service leaves no trace of its URL in metrics")
  void deliversWithoutATrace() {
    SigningSecret secret = secrets.generate();
    try (WebhookTrap trap = WebhookTrap.open().secrets(secret.text())) {
      SinkRow row =
          Bench.row(trap.url("/T0/hidden"), new SinkRow.Secret(secrets.seal(secret), null));
      Sink sink = type.open(row);
      // The second goes over the first one's connection, so the first is over and measured.
      for (int i = 0; i < 2; i++) {
        assertEquals(
            new DeliveryResult.Delivered(),
            sink.deliver(Bench.EVENT).await().atMost(Duration.ofSeconds(30)));
      }
      sink.close();
      assertEquals(2, trap.await(2).size());
      assertEquals(List.of(), trap.wrongs());
      String metrics = RestAssured.get("/q/metrics").asString();
      assertFalse(metrics.contains("hidden"), metrics);
      assertFalse(metrics.contains(":" + trap.port()), metrics);
    }
  }

  @Test
  void saysWhatIsWrongWithATarget() {
    assertEquals("webhook", type.name());
    assertNull(type.wrong("https://hooks.example.com/"));
    assertNull(type.wrong("http://127.0.0.1:9999/"));
    assertNotNull(type.wrong("https://10.0.0.1/"));
  }

  @Test
  void aBlockThatIsNoneRefusesTheStart() {
    ConfigurationException refused =
        assertThrows(
            ConfigurationException.class,
            () -> WebhookType.reach(Bench.config("allow", "10.0.0.0/8,localhost")));
    assertEquals(
        "postroom.webhook.allow: localhost is not a block of addresses such as 10.0.0.0/8 or"
            + " fd00::/8.",
        refused.getMessage());
  }

  @Test
  @DisplayName("H4, H6: lanes that would wait for a connection refuse the start")
  void everyLaneHasAConnection() {
    WebhookType.enough(32, 32);
    ConfigurationException refused =
        assertThrows(ConfigurationException.class, () -> WebhookType.enough(16, 32));
    assertEquals(
        "postroom.webhook.connections is 16, but postroom.relay.lanes-per-sink is 32: set it to 32"
            + " or more, or the lanes to fewer.",
        refused.getMessage());
  }
}
