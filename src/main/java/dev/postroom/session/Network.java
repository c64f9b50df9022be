package dev.postroom.session;

import io.netty.channel.Channel;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What a WebSocket runs over, as far as its bounds need it. Confined to the event loop.
 *
 * <p>Over a kind of connection that is not known here nothing is stopped.
 */
final class Network {
  private final @Nullable ConnectionBase connection;
  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private boolean frozen;
  private boolean reading = true;
  private int freezes;

  Network(@Nullable HttpConnection connection) {
    this.connection = connection instanceof ConnectionBase base ? base : null;
    if (this.connection != null) {
      readLittleAtOnce(this.connection.channel());
      boundPongs(this.connection);
    }
  }

  /** What was read in one turn of the event loop comes before reading can be stopped. */
  private static void readLittleAtOnce(Channel channel) {
    if (channel.config().getRecvByteBufAllocator()
        instanceof MaxMessagesRecvByteBufAllocator buffers) {
      buffers.maxMessagesPerRead(1);
    }
  }

  private static void boundPongs(ConnectionBase connection) {
    String reader = connection.channelHandlerContext().name();
    connection.channel().pipeline().addBefore(reader, "pongs", new Pongs());
  }

  void read(boolean on) {
    reading = on;
    readIfMay();
  }

  private void readIfMay() {
    if (connection == null) {
      return;
    }
    if (reading && !frozen) {
      connection.doResume();
    } else {
      connection.doPause();
    }
  }

  /**
   * Reads nothing until it is thawed; what would be written is to be held meanwhile.
   *
   * @return which freeze it is
   */
  int freeze() {
    frozen = true;
    readIfMay();
    return ++freezes;
  }

  boolean isFrozen() {
    return frozen;
  }

  /** Runs it when it is thawed. */
  void hold(Runnable write) {
    held.add(write);
  }

  /** Does nothing if there has been another freeze since. */
  void thaw(int freeze) {
    if (freeze == freezes) {
      thaw();
    }
  }

  void thaw() {
    if (frozen) {
      frozen = false;
      readIfMay();
      for (Runnable write = held.poll(); write != null; write = held.poll()) {
        write.run();
      }
    }
  }

  /** Asking the connection to close would queue a close frame behind what cannot be written. */
  void drop() {
    if (connection != null) {
      connection.channel().unsafe().close(connection.channel().voidPromise());
    }
  }
}
