package dev.postroom.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.postroom.sink.webhook.Signature;
import dev.postroom.sink.webhook.SigningSecret;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.awaitility.Awaitility;

/**
 * A real HTTP receiver on loopback, which records what it gets in the order of arrival, verifies
 * signatures once it knows the secrets, and answers as it is told.
 *
 * <pre>{@code
 * try (WebhookTrap trap = WebhookTrap.open()) {      // answers 204
 *   trap.secrets(secret);                            // from now on every signature is verified
 *   ... create a sink for trap.url("/hook"), send ...
 *   List<WebhookTrap.Delivery> three = trap.await(3);
 *   trap.answer(delivery -> Answer.status(503).with("Retry-After", "7"));
 *   trap.hold();  ...  trap.release();               // unanswered until released
 *   trap.cut();   trap.down();   trap.up();          // connection cut; nobody listens; again
 *   assertEquals(List.of(), trap.wrongs());
 * }
 * }</pre>
 *
 * <p>Safe for any thread.
 */
public final class WebhookTrap implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Vertx vertx =
      Vertx.vertx(
          new VertxOptions()
              .setEventLoopPoolSize(1)
              .setWorkerPoolSize(1)
              .setInternalBlockingPoolSize(1)
              .setUseDaemonThread(true)
              .setFileSystemOptions(
                  new FileSystemOptions()
                      .setClassPathResolvingEnabled(false)
                      .setFileCachingEnabled(false)));
  private final List<Delivery> deliveries = new ArrayList<>();
  private final List<String> wrongs = new ArrayList<>();
  private final List<HttpServerRequest> held = new ArrayList<>();
  private volatile Function<Delivery, Answer> answer = delivery -> Answer.status(204);
  private volatile List<SigningSecret> secrets = List.of();
  private final AtomicInteger connections = new AtomicInteger();
  private HttpServer server;
  private int port;

  /** What arrived, complete. */
  public record Delivery(
      int no, String method, String uri, Map<String, String> headers, Buffer body) {

    /** The value of the first header of that name, in any case, or null. */
    public String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    /** The event's id, which is the same for every attempt. */
    public String id() {
      return header(Signature.ID);
    }
  }

  /** What it is answered with. */
  public static final class Answer {
    private final int status;
    private final Map<String, String> headers = new HashMap<>();
    private long afterMs;

    private Answer(int status) {
      this.status = status;
    }

    /** At once, with this status and an empty body. */
    public static Answer status(int status) {
      return new Answer(status);
    }

    /** Not before {@link WebhookTrap#release}, and then with 204. */
    public static Answer hold() {
      return new Answer(0);
    }

    /** The connection ends without an answer. */
    public static Answer cut() {
      return new Answer(-1);
    }

    /** Not at once but after this time, as a slow receiver. */
    public Answer after(Duration time) {
      afterMs = time.toMillis();
      return this;
    }

    /** Adds a header. */
    public Answer with(String name, String value) {
      headers.put(name, value);
      return this;
    }
  }

  private WebhookTrap() {}

  /** One that listens on a free port and answers 204. */
  public static WebhookTrap open() {
    WebhookTrap trap = new WebhookTrap();
    trap.up();
    return trap;
  }

  /** {@code http://127.0.0.1:…} and the path, which begins with a slash. */
  public String url(String path) {
    return "http://127.0.0.1:" + port + path;
  }

  public int port() {
    return port;
  }

  /** From now on every signature must be good for one of these. */
  public WebhookTrap secrets(String... texts) {
    secrets = List.of(texts).stream().map(SigningSecret::parse).toList();
    return this;
  }

  /** From now on answers are these; called on the event loop, must not block. */
  public WebhookTrap answer(Function<Delivery, Answer> chosen) {
    answer = chosen;
    return this;
  }

  /** From now on everything is answered 204. */
  public void take() {
    answer(delivery -> Answer.status(204));
  }

  /** From now on everything is answered with this status. */
  public void fail(int status) {
    answer(delivery -> Answer.status(status));
  }

  /** From now on nothing is answered until {@link #release}. */
  public void hold() {
    answer(delivery -> Answer.hold());
  }

  /** From now on connections are cut instead of answered. */
  public void cut() {
    answer(delivery -> Answer.cut());
  }

  /** Answers 204 to what is held, in order, and to what comes from now on. */
  public void release() {
    take();
    vertx.runOnContext(
        released -> {
          List<HttpServerRequest> waiting = List.copyOf(held);
          held.clear();
          waiting.forEach(request -> request.response().setStatusCode(204).end());
        });
  }

  /** Nobody listens any more; open connections end. */
  public void down() {
    await(server.close());
  }

  /** Listens, again on the same port where it did before. */
  public void up() {
    server =
        await(
            vertx
                .createHttpServer()
                .connectionHandler(opened -> connections.incrementAndGet())
                .requestHandler(this::receive)
                .listen(port, "127.0.0.1"));
    port = server.actualPort();
  }

  private void receive(HttpServerRequest request) {
    request.body().onSuccess(body -> record(request, body));
  }

  private void record(HttpServerRequest request, Buffer body) {
    Map<String, String> headers = new HashMap<>();
    request
        .headers()
        .forEach(
            header ->
                headers.putIfAbsent(header.getKey().toLowerCase(Locale.ROOT), header.getValue()));
    Delivery delivery;
    synchronized (deliveries) {
      delivery =
          new Delivery(deliveries.size(), request.method().name(), request.uri(), headers, body);
      deliveries.add(delivery);
    }
    verify(delivery);
    give(request, answer.apply(delivery));
  }

  private void verify(Delivery delivery) {
    if (secrets.isEmpty()) {
      return;
    }
    Signature.Verdict verdict =
        Signature.verify(
            delivery.id(),
            delivery.header(Signature.TIMESTAMP),
            delivery.header(Signature.SIGNATURE),
            delivery.body().getBytes(),
            secrets,
            Instant.now(),
            Signature.TOLERANCE);
    if (verdict != Signature.Verdict.GOOD) {
      synchronized (deliveries) {
        wrongs.add("delivery " + delivery.no() + " (" + delivery.id() + "): " + verdict);
      }
    }
  }

  private void give(HttpServerRequest request, Answer chosen) {
    if (chosen.afterMs > 0) {
      long wait = chosen.afterMs;
      chosen.afterMs = 0;
      vertx.setTimer(wait, fired -> give(request, chosen));
    } else if (chosen.status > 0) {
      chosen.headers.forEach(request.response()::putHeader);
      request.response().setStatusCode(chosen.status).end();
    } else if (chosen.status < 0) {
      request.connection().close();
    } else {
      held.add(request);
    }
  }

  /** All so far, in the order in which they were complete. */
  public List<Delivery> deliveries() {
    synchronized (deliveries) {
      return List.copyOf(deliveries);
    }
  }

  /** Waits until at least so many have arrived; all so far. */
  public List<Delivery> await(int count) {
    Awaitility.await(count + " deliveries")
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> size() >= count);
    return deliveries();
  }

  public int size() {
    synchronized (deliveries) {
      return deliveries.size();
    }
  }

  /** Connections so far, used or not. */
  public int connections() {
    return connections.get();
  }

  /** What was signed wrongly. */
  public List<String> wrongs() {
    synchronized (deliveries) {
      return List.copyOf(wrongs);
    }
  }

  @Override
  public void close() {
    await(vertx.close());
  }

  private static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(30, SECONDS).join();
  }
}
