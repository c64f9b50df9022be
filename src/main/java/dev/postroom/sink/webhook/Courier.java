package dev.postroom.sink.webhook;

import dev.postroom.outbox.DeliveryResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Carries the webhooks of one sink, over connections of its own: what becomes of them is felt by no
 * other sink, also not by one at the same address (H4). Redirects are never followed, nothing is
 * decompressed. Safe for any thread; never blocks.
 */
final class Courier implements AutoCloseable {

  // Shorter than what servers commonly keep, so that seldom one closes what is just being used.
  private static final int KEEP_ALIVE_SECONDS = 3;

  private final Vertx vertx;
  private final WebhookConfig config;
  private final Reach reach;
  private final Names names;
  private final Clock clock;
  private final HttpClient client;

  /** The sink itself, until it is closed, and its attempts under way. */
  private final AtomicInteger users = new AtomicInteger(1);

  private final AtomicBoolean closed = new AtomicBoolean();

  /** Connections that have carried a request. */
  private final Set<HttpConnection> used =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  Courier(
      Vertx vertx,
      WebhookConfig config,
      Reach reach,
      Names names,
      Clock clock,
      HttpClientOptions options) {
    this.vertx = vertx;
    this.config = config;
    this.reach = reach;
    this.names = names;
    this.clock = clock;
    this.client =
        vertx
            .httpClientBuilder()
            .with(
                options
                    .setProtocolVersion(HttpVersion.HTTP_1_1)
                    .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                    .setDecompressionSupported(false)
                    .setVerifyHost(true))
            .with(new PoolOptions().setHttp1MaxSize(config.connections()))
            .withConnectHandler(Courier::connected)
            .build();
  }

  private static void connected(HttpConnection connection) {
    InterimAnswers.leaveOut(connection);
    // The attempt says what became of it; without this Vert.x would log an error as well.
    connection.exceptionHandler(told -> {});
  }

  /** One attempt; the answer comes on the caller's context. A failure is a fault of ours. */
  Future<DeliveryResult> post(Target target, Map<String, String> headers, byte[] body) {
    users.incrementAndGet();
    return new Attempt(this, target, headers, body).run(vertx.getOrCreateContext());
  }

  /** Notes that a connection carries a request; whether it is its first. */
  boolean isFirstOn(HttpConnection connection) {
    return used.add(connection);
  }

  DeliveryResult judge(int status, @Nullable String retryAfter) {
    return Answer.of(status, retryAfter, clock.instant(), config.retryAfterMax());
  }

  Vertx vertx() {
    return vertx;
  }

  Reach reach() {
    return reach;
  }

  Names names() {
    return names;
  }

  HttpClient client() {
    return client;
  }

  Clock clock() {
    return clock;
  }

  Duration deadline() {
    return config.deadline();
  }

  Duration connectTimeout() {
    return config.connectTimeout();
  }

  int answerBytes() {
    return config.answerBytes();
  }

  String userAgent() {
    return config.userAgent();
  }

  /** An attempt is over, with its answer's body. */
  void ended() {
    if (users.decrementAndGet() == 0) {
      client.close();
    }
  }

  /** Connections end, those in use when their attempts have ended. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      ended();
    }
  }
}
