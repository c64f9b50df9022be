package dev.postroom.bench.relay;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Takes every event at once, and counts: by the id of each, {@code room:epoch:seq}, whether it is
 * new, and whether its room's events come in order. Safe for any thread.
 */
final class Receiver implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final int port;
  private final Map<String, Seen> rooms = new ConcurrentHashMap<>();
  private final LongAdder requests = new LongAdder();
  private final LongAdder outOfOrder = new LongAdder();
  private final AtomicLong distinct = new AtomicLong();
  private volatile long lastNanos;

  private Receiver(int port) {
    this.port = port;
  }

  /** On a free port of loopback, with one event loop per processor. */
  static Receiver open() throws Exception {
    Receiver receiver = new Receiver(freePort());
    DeploymentOptions options =
        new DeploymentOptions().setInstances(Runtime.getRuntime().availableProcessors());
    receiver
        .vertx
        .deployVerticle(() -> receiver.new Loop(), options)
        .toCompletionStage()
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
    return receiver;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  String url() {
    return "http://127.0.0.1:" + port + "/events";
  }

  /** Forgets everything. */
  void reset() {
    rooms.clear();
    requests.reset();
    outOfOrder.reset();
    distinct.set(0);
  }

  private void take(HttpServerRequest request) {
    String id = request.getHeader("webhook-id");
    requests.increment();
    int colon = id.lastIndexOf(':');
    int seq = Integer.parseInt(id.substring(colon + 1));
    Seen seen = rooms.computeIfAbsent(id.substring(0, colon), unseen -> new Seen());
    boolean fresh;
    boolean late;
    synchronized (seen) {
      fresh = !seen.numbers.get(seq);
      late = fresh && seq < seen.highest;
      seen.numbers.set(seq);
      seen.highest = Math.max(seen.highest, seq);
    }
    if (late) {
      outOfOrder.increment();
    }
    if (fresh) {
      lastNanos = System.nanoTime();
      distinct.incrementAndGet();
    }
    request.endHandler(unused -> request.response().end());
  }

  /** What came of one room. */
  private static final class Seen {
    private final BitSet numbers = new BitSet();
    private int highest;
  }

  /** Different events that came. */
  long distinct() {
    return distinct.get();
  }

  long requests() {
    return requests.sum();
  }

  /** Events that came, for the first time, after a later one of their room. */
  long outOfOrder() {
    return outOfOrder.sum();
  }

  /** When the last new one came; of {@link System#nanoTime}. */
  long lastNanos() {
    return lastNanos;
  }

  @Override
  public void close() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /** One event loop of the server; all share the port. */
  private final class Loop extends AbstractVerticle {

    @Override
    public void start(Promise<Void> started) {
      vertx
          .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port))
          .requestHandler(Receiver.this::take)
          .listen()
          .<Void>mapEmpty()
          .onComplete(started);
    }
  }
}
