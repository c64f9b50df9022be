package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.DeliveryResult.Delivered;
import dev.postroom.outbox.DeliveryResult.EventFault;
import dev.postroom.outbox.DeliveryResult.Gone;
import dev.postroom.outbox.DeliveryResult.SinkFault;
import dev.postroom.testkit.WebhookTrap;
import dev.postroom.testkit.WebhookTrap.Answer;
import dev.postroom.testkit.WebhookTrap.Delivery;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One delivery over real HTTP: what is sent, and what the answer means. */
class WebhookSinkTest {
  private static final Delivered DELIVERED = new Delivered();

  private final WebhookTrap trap = WebhookTrap.open().secrets(Bench.SECRET.text());
  private final Bench bench = new Bench("user-agent", "Postroom/7");

  @AfterEach
  void close() {
    bench.close();
    trap.close();
  }

  @Test
  @DisplayName("H5: the event's id, the envelope's bytes, a good signature")
  void sendsTheEvent() {
    assertEquals(DELIVERED, bench.deliver(trap.url("/hook?key=1")));
    Delivery delivery = trap.await(1).get(0);
    assertEquals("POST /hook?key=1", delivery.method() + " " + delivery.uri());
    assertEquals("case-7:k3-1:12", delivery.id());
    assertArrayEquals(bench.envelope.structured(Bench.EVENT, "crm"), delivery.body().getBytes());
    assertEquals("application/cloudevents+json", delivery.header("content-type"));
    assertEquals("Postroom/7", delivery.header("user-agent"));
    assertEquals("127.0.0.1:" + trap.port(), delivery.header("host"));
    assertEquals(null, delivery.header("accept-encoding"));
    assertEquals(List.of(), trap.wrongs());
  }

  @Test
  @DisplayName("W6: a second attempt has the same id and bytes, and a signature of its own time")
  void repeatsAreEqualButForTheSignature() {
    trap.fail(500);
    bench.deliver(trap.url("/hook"));
    bench.now = bench.now.plusSeconds(100);
    bench.deliver(trap.url("/hook"));
    List<Delivery> two = trap.await(2);
    assertEquals(two.get(0).id(), two.get(1).id());
    assertEquals(two.get(0).body(), two.get(1).body());
    assertEquals(Long.toString(bench.now.getEpochSecond()), two.get(1).header(Signature.TIMESTAMP));
    assertNotEquals(two.get(0).header(Signature.SIGNATURE), two.get(1).header(Signature.SIGNATURE));
    assertEquals(List.of(), trap.wrongs());
  }

  @Test
  @DisplayName("W12: both secrets sign during a rotation, and the old one no longer than it may")
  void everyLiveSecretSigns() {
    SigningSecret fresh = SigningSecret.generate(new SecureRandom());
    trap.secrets(fresh.text());
    WebhookSink sink =
        bench.sink(
            trap.url("/hook"),
            bench.sealed(fresh, null),
            bench.sealed(Bench.SECRET, bench.now.plusSeconds(60)));
    assertEquals(DELIVERED, bench.deliver(sink));
    trap.secrets(Bench.SECRET.text());
    assertEquals(DELIVERED, bench.deliver(sink));
    bench.now = bench.now.plusSeconds(60);
    trap.secrets(fresh.text());
    assertEquals(DELIVERED, bench.deliver(sink));
    List<Integer> signatures =
        trap.await(3).stream()
            .map(each -> each.header(Signature.SIGNATURE).split(" ", -1).length)
            .toList();
    assertEquals(List.of(2, 2, 1), signatures);
    assertEquals(List.of(), trap.wrongs());
  }

  @Test
  @DisplayName("H6: what we cannot sign is our own fault, and is not sent")
  void unsignedIsNotSent() {
    WebhookSink expired = bench.sink(trap.url("/"), bench.sealed(Bench.SECRET, bench.now));
    assertThrows(IllegalStateException.class, () -> bench.deliver(expired));
    WebhookSink damaged =
        bench.sink(trap.url("/"), new dev.postroom.outbox.SinkRow.Secret(new byte[60], null));
    assertThrows(SecretsUnavailable.class, () -> bench.deliver(damaged));
    assertEquals(0, trap.size());
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        Arguments.of(Answer.status(200), DELIVERED),
        Arguments.of(Answer.status(202), DELIVERED),
        Arguments.of(Answer.status(400), new EventFault("answered 400")),
        Arguments.of(Answer.status(422), new EventFault("answered 422")),
        Arguments.of(Answer.status(401), new SinkFault("answered 401", true, null)),
        Arguments.of(Answer.status(500), new SinkFault("answered 500", true, null)),
        Arguments.of(Answer.status(410), new Gone("answered 410")),
        Arguments.of(
            Answer.status(429).with("Retry-After", "7"),
            new SinkFault("answered 429", true, Duration.ofSeconds(7))),
        Arguments.of(
            Answer.status(503).with("Retry-After", "86400"),
            new SinkFault("answered 503", true, Duration.ofHours(1))),
        Arguments.of(
            Answer.cut(), new SinkFault("the connection ended without an answer", true, null)));
  }

  @ParameterizedTest
  @MethodSource("answers")
  @DisplayName("H6: what the status means")
  void judges(Answer answer, DeliveryResult expected) {
    trap.answer(delivery -> answer);
    assertEquals(expected, bench.deliver(trap.url("/hook")));
    assertEquals(1, trap.size());
  }

  @Test
  @DisplayName("W2: a redirect is not followed, wherever it leads")
  void redirectsAreNotFollowed() {
    try (WebhookTrap inside = WebhookTrap.open()) {
      for (int status : List.of(301, 302, 303, 307, 308)) {
        trap.answer(delivery -> Answer.status(status).with("Location", inside.url("/internal")));
        assertEquals(
            new SinkFault("answered " + status + "; redirects are not followed", true, null),
            bench.deliver(trap.url("/hook")));
      }
      assertEquals(0, inside.size());
      assertEquals(5, trap.size());
    }
  }

  @Test
  void connectionsAreUsedAgain() {
    WebhookSink sink = bench.sink(trap.url("/hook"), bench.sealed(Bench.SECRET, null));
    for (int i = 0; i < 50; i++) {
      assertEquals(DELIVERED, bench.deliver(sink));
    }
    assertEquals(1, trap.connections());
  }
}
