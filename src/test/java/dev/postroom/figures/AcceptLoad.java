package dev.postroom.figures;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A first figure, not a benchmark: senders in rooms of two against a running service in its default
 * run, each with a few commands in flight. Arguments: port, sockets, commands in flight, seconds;
 * the first third is warm-up. With zero in flight the sockets only join and stay.
 */
public final class AcceptLoad {
  private static final String TEXT = "x".repeat(100);

  private final Vertx vertx = Vertx.vertx();
  private final WebSocketClient client =
      vertx.createWebSocketClient(new WebSocketClientOptions().setMaxConnections(100_000));
  private final HttpClient http = vertx.createHttpClient();
  private final AtomicInteger joined = new AtomicInteger();
  private final long[] latencies = new long[8_000_000];
  private final AtomicInteger acks = new AtomicInteger();
  private final AtomicInteger deliveries = new AtomicInteger();
  private final AtomicInteger errors = new AtomicInteger();
  private final int port;
  private final int inFlight;
  private volatile boolean measuring;
  private volatile boolean stopped;

  private AcceptLoad(int port, int inFlight) {
    this.port = port;
    this.inFlight = inFlight;
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    int sockets = Integer.parseInt(args[1]);
    AcceptLoad load = new AcceptLoad(port, Integer.parseInt(args[2]));
    try {
      load.run(sockets, Integer.parseInt(args[3]));
    } finally {
      load.vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
  }

  private void run(int sockets, int seconds) throws Exception {
    List<Future<WebSocket>> open =
        IntStream.range(0, sockets).mapToObj(this::token).map(this::connect).toList();
    Future.join(open).toCompletionStage().toCompletableFuture().get(120, TimeUnit.SECONDS);
    while (joined.get() < sockets) {
      TimeUnit.MILLISECONDS.sleep(50); // a tool, not a test
    }
    System.out.printf("%d sockets joined%n", sockets);
    TimeUnit.SECONDS.sleep(seconds / 3); // warm-up
    measuring = true;
    long start = System.nanoTime();
    int before = deliveries.get();
    TimeUnit.SECONDS.sleep(seconds - seconds / 3); // the measured time
    double took = (System.nanoTime() - start) / 1e9;
    measuring = false;
    int count = Math.min(acks.get(), latencies.length);
    int delivered = deliveries.get() - before;
    stopped = true;
    if (count > 0) {
      long[] sorted = Arrays.copyOf(latencies, count);
      Arrays.sort(sorted);
      System.out.printf(
          "accepted %.0f/s, deliveries %.0f/s, ack p50 %.2f ms, p99 %.2f ms, max %.1f ms, errors %d%n",
          count / took,
          delivered / took,
          sorted[count / 2] / 1e6,
          sorted[(int) (count * 0.99)] / 1e6,
          sorted[count - 1] / 1e6,
          errors.get());
    }
  }

  private Future<String> token(int number) {
    JsonObject body = new JsonObject().put("participant", "p" + number).put("name", "P" + number);
    return http.request(HttpMethod.POST, port, "127.0.0.1", "/dev/tokens")
        .compose(
            request -> request.putHeader("Content-Type", "application/json").send(body.toBuffer()))
        .compose(response -> response.body())
        .map(answer -> number + " " + new JsonObject(answer).getString("token"));
  }

  private Future<WebSocket> connect(Future<String> token) {
    return token.compose(
        numbered -> {
          int number = Integer.parseInt(numbered.substring(0, numbered.indexOf(' ')));
          String bearer = "Bearer " + numbered.substring(numbered.indexOf(' ') + 1);
          WebSocketConnectOptions options =
              new WebSocketConnectOptions()
                  .setHost("127.0.0.1")
                  .setPort(port)
                  .setURI("/ws")
                  .addSubProtocol("postroom.v1")
                  .addHeader("Authorization", bearer);
          return client.connect(options).onSuccess(socket -> new Sender(socket, number));
        });
  }

  /** One socket; confined to its event loop. */
  private final class Sender {
    private final WebSocket socket;
    private final String room;
    private final String prefix = Long.toString(System.nanoTime(), 36) + "-";
    private final long[] sentNanos = new long[1024];
    private int next;

    Sender(WebSocket socket, int number) {
      this.socket = socket;
      this.room = "load-" + number / 2;
      socket.textMessageHandler(this::receive);
    }

    private void receive(String frame) {
      if (frame.startsWith("{\"type\":\"message\"")) {
        deliveries.incrementAndGet();
      } else if (frame.startsWith("{\"type\":\"ack\"")) {
        acked(frame);
      } else if (frame.startsWith("{\"type\":\"welcome\"")) {
        say("{\"type\":\"join\",\"room\":\"" + room + "\"}");
      } else if (frame.startsWith("{\"type\":\"snapshot\"")) {
        joined.incrementAndGet();
        for (int i = 0; i < inFlight; i++) {
          send();
        }
      } else {
        errors.incrementAndGet();
        send();
      }
    }

    private void acked(String frame) {
      int from = frame.indexOf(prefix) + prefix.length();
      int number = Integer.parseInt(frame, from, frame.indexOf('"', from), 10);
      if (measuring) {
        int place = acks.getAndIncrement();
        if (place < latencies.length) {
          latencies[place] = System.nanoTime() - sentNanos[number % sentNanos.length];
        }
      }
      send();
    }

    private void send() {
      if (!stopped) {
        int number = next++;
        sentNanos[number % sentNanos.length] = System.nanoTime();
        say(
            "{\"type\":\"send\",\"room\":\""
                + room
                + "\",\"clientMessageId\":\""
                + prefix
                + number
                + "\",\"text\":\""
                + TEXT
                + "\"}");
      }
    }

    private void say(String frame) {
      socket
          .writeTextMessage(frame)
          .onFailure(
              failure -> {
                if (!stopped) {
                  errors.incrementAndGet();
                }
              });
    }
  }
}
