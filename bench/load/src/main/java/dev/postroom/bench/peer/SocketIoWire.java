package dev.postroom.bench.peer;

import dev.postroom.bench.Heard;
import dev.postroom.bench.Talk;
import dev.postroom.bench.Wire;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import org.jspecify.annotations.Nullable;

/** Socket.IO 4 over Engine.IO 4, by WebSocket from the beginning. */
final class SocketIoWire implements Wire {

  @Override
  public WebSocketConnectOptions connect(int port, String user) {
    return new WebSocketConnectOptions()
        .setHost("127.0.0.1")
        .setPort(port)
        .setURI("/socket.io/?EIO=4&transport=websocket");
  }

  @Override
  public Talk open(WebSocket socket, String user, @Nullable Object before, Heard heard) {
    return new SocketIoTalk(socket, (SocketIoTalk.State) before, heard);
  }
}
