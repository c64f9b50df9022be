package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.DeliveryResult.Delivered;
import dev.postroom.outbox.DeliveryResult.SinkFault;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Receivers that do not play by the rules cost one bounded attempt (W11). */
class BadReceiverTest {
  private static final SinkFault LATE = new SinkFault("no answer within 400 ms", true, null);
  private static final SinkFault NOT_HTTP = new SinkFault("what answered is not HTTP", true, null);
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  private final Bench bench = new Bench("deadline", "400MS");
  private final Vertx vertx = Vertx.vertx();
  private final Promise<Void> closed = Promise.promise();

  @AfterEach
  void close() {
    bench.close();
    Bench.get(vertx.close());
  }

  private String listen(Handler<NetSocket> onRequest) {
    int port =
        Bench.get(
                vertx
                    .createNetServer()
                    .connectHandler(
                        socket -> {
                          socket.closeHandler(ended -> closed.tryComplete());
                          socket.exceptionHandler(reset -> {});
                          socket.handler(
                              bytes -> {
                                socket.handler(more -> {});
                                onRequest.handle(socket);
                              });
                        })
                    .listen(0, "127.0.0.1"))
            .actualPort();
    return "http://127.0.0.1:" + port + "/hook";
  }

  @Test
  @DisplayName("W11: takes the request and never answers")
  void neverAnswers() {
    assertEquals(LATE, bench.deliver(listen(socket -> {})));
    Bench.get(closed.future());
  }

  @Test
  @DisplayName("W11: a byte now and then of its head")
  void dripsItsHead() {
    String url =
        listen(
            socket -> {
              socket.write("HTTP/1.1 200 OK\r\nX: ");
              drip(socket);
            });
    assertEquals(LATE, bench.deliver(url));
    Bench.get(closed.future());
  }

  @Test
  @DisplayName("W11: the status decides; a body that never ends is cut off")
  void dripsItsBody() {
    String url =
        listen(
            socket -> {
              socket.write(OK + "Content-Length: 1000\r\n\r\n");
              drip(socket);
            });
    assertEquals(new Delivered(), bench.deliver(url));
    Bench.get(closed.future());
  }

  private void drip(NetSocket socket) {
    long timer = vertx.setPeriodic(50, tick -> socket.write("x"));
    closed.future().onComplete(ended -> vertx.cancelTimer(timer));
  }

  @Test
  @DisplayName("W4, W11: a gigabyte of body is dropped after the bound, and never shown")
  void floods() {
    AtomicLong sent = new AtomicLong();
    Buffer chunk = Buffer.buffer("internal".repeat(8_192));
    String url =
        listen(
            socket -> {
              socket.write("HTTP/1.1 500 internal\r\nContent-Length: 1073741824\r\n\r\n");
              flood(socket, chunk, sent);
            });
    DeliveryResult result = bench.deliver(url);
    assertEquals(new SinkFault("answered 500", true, null), result);
    Bench.get(closed.future());
    // What had fitted into the buffers between the two.
    assertTrue(sent.get() < 64L << 20, "sent " + sent);
  }

  private static void flood(NetSocket socket, Buffer chunk, AtomicLong sent) {
    while (!socket.writeQueueFull() && sent.get() < 1L << 30) {
      socket.write(chunk);
      sent.addAndGet(chunk.length());
    }
    socket.drainHandler(drained -> flood(socket, chunk, sent));
  }

  @Test
  void cutsTheConnectionInsteadOfAnAnswer() {
    assertEquals(
        new SinkFault("the connection ended without an answer", true, null),
        bench.deliver(listen(NetSocket::close)));
  }

  @Test
  @DisplayName("a status that was given counts although the body is cut")
  void cutsTheBody() {
    String url =
        listen(
            socket ->
                socket.write(OK + "Content-Length: 9\r\n\r\nx").onComplete(w -> socket.close()));
    assertEquals(new Delivered(), bench.deliver(url));
  }

  @Test
  void isNoHttpServer() {
    String url = listen(socket -> socket.write("SSH-2.0-OpenSSH_9.6\r\n\r\n"));
    assertEquals(NOT_HTTP, bench.deliver(url));
  }

  @Test
  @DisplayName("H6: more headers than are read are no answer, but the event was sent")
  void hasTooMuchToSay() {
    String url = listen(socket -> socket.write(OK + "X: " + "x".repeat(10_000) + "\r\n\r\n"));
    assertEquals(NOT_HTTP, bench.deliver(url));
  }

  @Test
  @DisplayName("H6: nobody listens")
  void isNotThere() {
    String url = listen(socket -> {});
    Bench.get(vertx.close());
    assertEquals(new SinkFault("could not connect", false, null), bench.deliver(url));
  }

  @Test
  @DisplayName("H6: an unknown name, and nothing of what the name service said about it")
  void hasNoAddress() {
    bench.addresses = List.of();
    assertEquals(
        new SinkFault("the host's name could not be resolved", false, null),
        bench.deliver("https://hooks.invalid/"));
  }
}
