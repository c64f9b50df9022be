package dev.postroom.sink.webhook;

import dev.postroom.outbox.RelayConfig;
import dev.postroom.outbox.Sink;
import dev.postroom.outbox.SinkRow;
import dev.postroom.outbox.SinkType;
import dev.postroom.sink.Envelope;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sinks of type {@code webhook}. Settings that cannot be used refuse the start. */
@Singleton
class WebhookType implements SinkType {

  private final Envelope envelope;
  private final Secrets secrets;
  private final Reach reach;
  private final SystemNames names;
  private final SharedNames shared;
  private final Vertx vertx;
  private final WebhookConfig config;

  WebhookType(Vertx vertx, WebhookConfig config, Envelope envelope, Secrets secrets) {
    this.envelope = envelope;
    this.secrets = secrets;
    this.reach = reach(config);
    this.names = new SystemNames(vertx);
    this.shared = new SharedNames(vertx, names);
    this.vertx = vertx;
    this.config = config;
  }

  /** Makes Quarkus read the settings now, before anything starts. */
  void onStart(@Observes @Priority(-20) StartupEvent started, RelayConfig relay) {
    enough(config.connections(), relay.lanesPerSink());
  }

  /**
   * An attempt that waits for a connection would use up its deadline there, and a receiver that is
   * only slow would pass for one that cannot be reached.
   *
   * @throws ConfigurationException if not every lane of a sink can have a connection
   */
  static void enough(int connections, int lanes) {
    if (connections < lanes) {
      throw new ConfigurationException(
          "postroom.webhook.connections is %d, but postroom.relay.lanes-per-sink is %d: set it to %2$d or more, or the lanes to fewer."
              .formatted(connections, lanes));
    }
  }

  /**
   * What the settings let through.
   *
   * @throws ConfigurationException if they are wrong
   */
  static Reach reach(WebhookConfig config) {
    try {
      List<Cidr> allowed = config.allow().orElse(List.of()).stream().map(Cidr::parse).toList();
      return new Reach(new Addresses(allowed), config.ports());
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException("postroom.webhook.allow: " + e.getMessage() + ".");
    }
  }

  @Override
  public String name() {
    return "webhook";
  }

  @Override
  public @Nullable String wrong(String target) {
    return reach.wrong(target);
  }

  @Override
  public Sink open(SinkRow settings) {
    Courier courier =
        new Courier(vertx, config, reach, shared, Clock.systemUTC(), new HttpClientOptions());
    return new WebhookSink(settings, courier, envelope, secrets);
  }

  @PreDestroy
  void close() {
    names.close();
  }
}
