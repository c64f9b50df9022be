package dev.postroom.session;

import io.quarkus.websockets.next.InboundProcessingMode;
import io.quarkus.websockets.next.OnBinaryMessage;
import io.quarkus.websockets.next.OnClose;
import io.quarkus.websockets.next.OnError;
import io.quarkus.websockets.next.OnOpen;
import io.quarkus.websockets.next.OnPongMessage;
import io.quarkus.websockets.next.OnTextMessage;
import io.quarkus.websockets.next.WebSocket;
import io.quarkus.websockets.next.WebSocketConnection;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import org.jboss.logging.Logger;

/**
 * {@code /ws}: hands what comes in to its {@link Session}; no logic.
 *
 * <p>Concurrent, because in serial mode the platform queues frames without a bound and does not run
 * {@code @OnClose} behind a handler that hangs; order and bound are the session's. Every callback
 * runs on the connection's event loop and returns at once.
 */
@WebSocket(path = "/ws", inboundProcessingMode = InboundProcessingMode.CONCURRENT)
class RoomSocket {
  private static final Logger LOG = Logger.getLogger(RoomSocket.class);
  private static final Uni<Void> DONE = Uni.createFrom().voidItem();

  private final Sessions sessions;

  RoomSocket(Sessions sessions) {
    this.sessions = sessions;
  }

  @OnOpen
  Uni<Void> onOpen(WebSocketConnection socket) {
    sessions.opened(socket);
    return DONE;
  }

  @OnTextMessage
  Uni<Void> onText(String text, WebSocketConnection socket) {
    Session session = sessions.of(socket);
    if (session != null) {
      session.received(text);
    }
    return DONE;
  }

  @OnBinaryMessage
  Uni<Void> onBinary(Buffer frame, WebSocketConnection socket) {
    Session session = sessions.of(socket);
    if (session != null) {
      session.receivedBinary();
    }
    return DONE;
  }

  @OnPongMessage
  Uni<Void> onPong(Buffer pong, WebSocketConnection socket) {
    Session session = sessions.of(socket);
    if (session != null) {
      session.seen();
    }
    return DONE;
  }

  @OnClose
  Uni<Void> onClose(WebSocketConnection socket) {
    sessions.closed(socket);
    return DONE;
  }

  /**
   * A message too big to be put together is reported as an illegal state, and the platform would
   * leave the socket open without a word. Other failures are the network's; they end in a close.
   */
  @OnError
  Uni<Void> onError(Throwable failure, WebSocketConnection socket) {
    LOG.debugf("Socket %s failed: %s", socket.id(), failure.getMessage());
    Session session = sessions.of(socket);
    if (session != null && failure instanceof IllegalStateException) {
      session.connection().end(Ending.TOO_BIG);
    }
    return DONE;
  }
}
