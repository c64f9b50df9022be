package dev.postroom.sink.webhook;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.RoomEvent;
import dev.postroom.outbox.SinkRow;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import dev.postroom.sink.Envelope;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Webhook sinks without the service around them, and a name service that says what the test wants:
 * 127.0.0.1 for every name, unless told otherwise. Only 127.0.0.1 is allowed.
 */
final class Bench implements AutoCloseable {
  static final SigningSecret SECRET = SigningSecret.generate(new SecureRandom());
  static final RoomEvent EVENT =
      new RoomEvent.Accepted(
          new RoomId("case-7"),
          new RoomMessage(
              UUID.fromString("0190a1b2-0000-7000-8000-000000000001"),
              "k3-1",
              12,
              "ada",
              "Ada",
              "c-1",
              "hello",
              Instant.parse("2026-03-04T05:06:07.089Z")),
          false);

  final Vertx vertx = Vertx.vertx();
  final Secrets secrets = SecretsTest.with("A".repeat(43) + "=");
  final List<String> lookups = new ArrayList<>();
  final Envelope envelope = new Envelope("");
  volatile List<String> addresses = List.of("127.0.0.1");
  volatile Instant now = Instant.now();
  private final HttpClientOptions options;
  private final WebhookConfig config;

  /** With these settings of {@code postroom.webhook}, as names and values in turn. */
  Bench(String... settings) {
    this(new HttpClientOptions(), settings);
  }

  Bench(HttpClientOptions options, String... settings) {
    this.options = options;
    this.config = config(settings);
  }

  static WebhookConfig config(String... settings) {
    Map<String, String> values = new HashMap<>();
    values.put("postroom.webhook.allow", "127.0.0.1");
    for (int i = 0; i < settings.length; i += 2) {
      values.put("postroom.webhook." + settings[i], settings[i + 1]);
    }
    return new SmallRyeConfigBuilder()
        .withMapping(WebhookConfig.class)
        .withConverter(Duration.class, 200, new DurationConverter())
        .withDefaultValues(values)
        .build()
        .getConfigMapping(WebhookConfig.class);
  }

  private Future<List<InetAddress>> lookUp(String host) {
    synchronized (lookups) {
      lookups.add(host);
    }
    return addresses.isEmpty()
        ? Future.failedFuture(new UnknownHostException("10.0.0.1 does not know " + host))
        : Future.succeededFuture(addresses.stream().map(Literal::address).toList());
  }

  private final class SetClock extends Clock {
    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }

  /** Delivers the event to this URL, signed with {@link #SECRET}. */
  DeliveryResult deliver(String url) {
    return deliver(sink(url, sealed(SECRET, null)));
  }

  DeliveryResult deliver(WebhookSink sink) {
    return sink.deliver(EVENT).await().atMost(Duration.ofSeconds(30));
  }

  WebhookSink sink(String url, SinkRow.Secret... sealed) {
    Courier courier =
        new Courier(
            vertx, config, WebhookType.reach(config), this::lookUp, new SetClock(), options);
    return new WebhookSink(row(url, sealed), courier, envelope, secrets);
  }

  SinkRow.Secret sealed(SigningSecret secret, Instant expiresAt) {
    return new SinkRow.Secret(secrets.seal(secret), expiresAt);
  }

  static SinkRow row(String url, SinkRow.Secret... sealed) {
    return new SinkRow(
        1,
        "crm",
        "webhook",
        "CRM",
        List.of("*"),
        url,
        SinkRow.Format.STRUCTURED,
        SinkRow.Poison.BLOCK,
        SinkRow.State.ACTIVE,
        null,
        Stream.of(sealed).toList(),
        1,
        Instant.EPOCH);
  }

  static <T> T get(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    get(vertx.close());
  }
}
