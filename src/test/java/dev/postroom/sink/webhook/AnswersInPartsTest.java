package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.DeliveryResult.Delivered;
import dev.postroom.outbox.DeliveryResult.SinkFault;
import dev.postroom.outbox.Sink;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes before an answer, what never comes after it, and whom that concerns. */
class AnswersInPartsTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final Bench bench = new Bench("deadline", "20S", "connections", "1");
  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger connections = new AtomicInteger();
  private final Promise<NetSocket> asked = Promise.promise();
  private final Promise<Void> closed = Promise.promise();

  @AfterEach
  void close() {
    bench.close();
    Bench.get(vertx.close());
  }

  /** Every request comes in one piece. */
  private WebhookSink sink(Handler<NetSocket> onRequest) {
    String url = "http://127.0.0.1:" + listen(onRequest) + "/hook";
    return bench.sink(url, bench.sealed(Bench.SECRET, null));
  }

  private int listen(Handler<NetSocket> onRequest) {
    return Bench.get(
            vertx
                .createNetServer()
                .connectHandler(
                    socket -> {
                      connections.incrementAndGet();
                      socket.closeHandler(ended -> closed.tryComplete());
                      socket.handler(bytes -> onRequest.handle(socket));
                    })
                .listen(0, "127.0.0.1"))
        .actualPort();
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 102, 103, 104, 199})
  @DisplayName("W11: interim answers are none, however many, and the connection is used again")
  void interim(int status) {
    String interim = "HTTP/1.1 " + status + " Wait\r\nX-Progress: 1\r\n\r\n";
    WebhookSink sink = sink(socket -> socket.write(interim.repeat(3) + OK));
    assertEquals(new Delivered(), bench.deliver(sink));
    assertEquals(new Delivered(), bench.deliver(sink));
    assertEquals(1, connections.get());
  }

  @Test
  @DisplayName("W11: interim answers in pieces, of several kinds, before a refusal")
  void interimInPieces() {
    String answer =
        "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
            + "HTTP/1.1 500 Oh\r\nContent-Length: 3\r\n\r\nabc";
    WebhookSink sink = sink(socket -> writeFrom(socket, answer, 0));
    assertEquals(new SinkFault("answered 500", true, null), bench.deliver(sink));
  }

  private static void writeFrom(NetSocket socket, String answer, int index) {
    if (index < answer.length()) {
      socket
          .write(answer.substring(index, index + 1))
          .onSuccess(written -> writeFrom(socket, answer, index + 1));
    }
  }

  @Test
  @DisplayName("W11: another protocol, for which nobody asked, is no answer to go on from")
  void switchesProtocols() {
    WebhookSink sink =
        sink(socket -> socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"));
    assertEquals(new SinkFault("answered 101", true, null), bench.deliver(sink));
  }

  @Test
  @DisplayName("H4: what one sink waits for holds no connection of another at the same address")
  void poolsAreApart() {
    int port =
        listen(
            socket -> {
              if (connections.get() > 1) {
                socket.write(OK);
              } else {
                asked.tryComplete(socket);
              }
            });
    WebhookConfig config = Bench.config("deadline", "20S", "connections", "1");
    WebhookType type = new WebhookType(vertx, config, bench.envelope, bench.secrets);
    CompletableFuture<DeliveryResult> first = start(open(type, "/silent", port));
    Bench.get(asked.future());
    assertEquals(new Delivered(), start(open(type, "/other", port)).join());
    assertFalse(first.isDone());
  }

  private Sink open(WebhookType type, String path, int port) {
    String url = "http://127.0.0.1:" + port + path;
    return type.open(Bench.row(url, bench.sealed(Bench.SECRET, null)));
  }

  @Test
  @DisplayName("W11: a body that does not end is cut off long before the deadline")
  void bodyIsCut() {
    WebhookSink sink =
        sink(socket -> socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"));
    assertEquals(new Delivered(), bench.deliver(sink));
    assertEquals(new Delivered(), bench.deliver(sink), "over the only connection there may be");
  }

  @Test
  @DisplayName("H2: a sink that is closed ends what is under way, then its connections")
  void closesWhenIdle() {
    WebhookSink sink = sink(asked::tryComplete);
    CompletableFuture<DeliveryResult> answer = start(sink);
    NetSocket socket = Bench.get(asked.future());
    sink.close();
    sink.close();
    socket.write(OK);
    assertEquals(new Delivered(), answer.join());
    Bench.get(closed.future());
  }

  private static CompletableFuture<DeliveryResult> start(Sink sink) {
    return sink.deliver(Bench.EVENT)
        .ifNoItem()
        .after(Duration.ofSeconds(30))
        .fail()
        .subscribeAsCompletionStage();
  }
}
