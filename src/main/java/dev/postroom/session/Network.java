package dev.postroom.session;

import io.netty.channel.Channel;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import org.jspecify.annotations.Nullable;

/**
 * What a WebSocket runs over, as far as its bounds need it. Confined to the event loop.
 *
 * <p>Over a kind of connection that is not known here nothing is stopped.
 */
final class Network {
  private final @Nullable ConnectionBase connection;

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
    if (connection == null) {
      return;
    }
    if (on) {
      connection.doResume();
    } else {
      connection.doPause();
    }
  }

  /** Asking the connection to close would queue a close frame behind what cannot be written. */
  void drop() {
    if (connection != null) {
      connection.channel().unsafe().close(connection.channel().voidPromise());
    }
  }
}
