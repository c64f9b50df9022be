package dev.postroom.session;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import org.jspecify.annotations.Nullable;

/**
 * One pong on its way to the reader, and the newest behind it.
 *
 * <p>The server answers a ping below the session, so no mailbox counts its pongs; a client that
 * pings and reads nothing would have them pile up without a bound. RFC 6455, 5.5.3: whoever has not
 * yet sent the pong of an earlier ping may send that of the most recent one alone.
 */
final class Pongs extends ChannelOutboundHandlerAdapter {
  private boolean writing;
  private @Nullable PongWebSocketFrame newest;

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (!(message instanceof PongWebSocketFrame pong)) {
      super.write(context, message, promise);
    } else if (writing) {
      forget();
      newest = pong;
      promise.trySuccess();
    } else {
      writing = true;
      super.write(context, pong, promise.unvoid().addListener(done -> written(context)));
    }
  }

  private void written(ChannelHandlerContext context) {
    writing = false;
    PongWebSocketFrame next = newest;
    newest = null;
    if (next != null && context.channel().isActive()) {
      writing = true;
      ChannelFuture unused = context.writeAndFlush(next).addListener(done -> written(context));
    } else if (next != null) {
      next.release();
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    forget();
  }

  private void forget() {
    if (newest != null) {
      newest.release();
      newest = null;
    }
  }
}
