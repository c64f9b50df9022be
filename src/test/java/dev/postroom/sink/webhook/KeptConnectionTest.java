package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.DeliveryResult.Delivered;
import dev.postroom.outbox.DeliveryResult.SinkFault;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetSocket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Connections that are used again, as long as the receiver leaves them. */
class KeptConnectionTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  private final Bench bench = new Bench();
  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger connections = new AtomicInteger();
  private final Promise<Void> closed = Promise.promise();

  @AfterEach
  void close() {
    bench.close();
    Bench.get(vertx.close());
  }

  /** Every request comes in one piece; it is told which of its connection's it is. */
  private WebhookSink sink(BiConsumer<NetSocket, Integer> onRequest) {
    int port =
        Bench.get(
                vertx
                    .createNetServer()
                    .connectHandler(
                        socket -> {
                          connections.incrementAndGet();
                          socket.exceptionHandler(reset -> {});
                          AtomicInteger requests = new AtomicInteger();
                          socket.handler(
                              bytes -> onRequest.accept(socket, requests.incrementAndGet()));
                        })
                    .listen(0, "127.0.0.1"))
            .actualPort();
    return bench.sink("http://127.0.0.1:" + port + "/hook", bench.sealed(Bench.SECRET, null));
  }

  @Test
  @DisplayName("H6: a kept connection that ends just when it is used again is nobody's fault")
  void endsWhenUsedAgain() {
    WebhookSink sink =
        sink(
            (socket, request) -> {
              if (request == 1) {
                socket.write(OK);
              } else {
                socket.close();
              }
            });
    for (int i = 1; i <= 3; i++) {
      assertEquals(new Delivered(), bench.deliver(sink));
      assertEquals(i, connections.get());
    }
  }

  @Test
  @DisplayName("H6: a receiver that closes after each answer without saying so")
  void closesAfterEachAnswer() {
    WebhookSink sink =
        sink(
            (socket, request) -> {
              if (request == 1) {
                socket.write(OK);
                vertx.setTimer(1, soon -> socket.close());
              }
            });
    for (int i = 0; i < 200; i++) {
      int number = i;
      assertEquals(new Delivered(), bench.deliver(sink), () -> "number " + number);
    }
  }

  @Test
  @DisplayName("H6: what ends a new connection too is the receiver's fault, after one more try")
  void endsNewOnesToo() {
    WebhookSink sink =
        sink(
            (socket, request) -> {
              if (connections.get() == 1 && request == 1) {
                socket.write(OK);
              } else {
                socket.close();
              }
            });
    assertEquals(new Delivered(), bench.deliver(sink));
    SinkFault fault = new SinkFault("the connection ended without an answer", true, null);
    assertEquals(fault, bench.deliver(sink));
    assertEquals(2, connections.get());
    assertEquals(fault, bench.deliver(sink));
    assertEquals(3, connections.get());
  }

  @Test
  @DisplayName("W11: a timeout that is told on an idle connection is no answer to the next event")
  void answersWhenNobodyAsked() {
    WebhookSink sink =
        sink(
            (socket, request) -> {
              socket.write(OK);
              if (connections.get() == 1) {
                vertx.setTimer(
                    100,
                    soon -> {
                      socket.write(
                          "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length:"
                              + " 0\r\n\r\n");
                      socket.close();
                      closed.tryComplete();
                    });
              }
            });
    assertEquals(new Delivered(), bench.deliver(sink));
    Bench.get(closed.future());
    assertEquals(new Delivered(), bench.deliver(sink));
  }
}
