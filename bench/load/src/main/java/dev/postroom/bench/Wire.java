package dev.postroom.bench;

import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How to speak with one peer. Safe for any thread; what {@link #open} returns is not. */
public interface Wire {

  /** Called once, before the first connection, off the event loop: fetches tokens, for instance. */
  default void prepare(int port, List<String> users) throws Exception {}

  /** Path, headers and sub-protocols of a new connection. Called on an event loop. */
  WebSocketConnectOptions connect(int port, String user);

  /**
   * Takes a new socket: sets its handlers. Called and then confined to the socket's event loop.
   *
   * @param before what {@link Talk#state} of the same user's last socket said when that was cut;
   *     null for a first connection
   */
  Talk open(WebSocket socket, String user, @Nullable Object before, Heard heard);
}
