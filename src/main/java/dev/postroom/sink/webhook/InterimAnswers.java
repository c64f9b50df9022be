package dev.postroom.sink.webhook;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Leaves interim answers (1xx) out of what a connection reads: the final one follows (RFC 9110,
 * 15.2). Vert.x takes all but 100 and 103 for the final one. Nobody asked for another protocol, so
 * 101 is final, and a failure.
 *
 * <p>How many come is bounded by the attempt's deadline. Confined to the connection's event loop.
 */
final class InterimAnswers extends ChannelInboundHandlerAdapter {

  private boolean interim;

  private InterimAnswers() {}

  /** On the connection's event loop, before the first request. */
  static void leaveOut(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      ChannelHandlerContext reader = base.channelHandlerContext();
      reader.pipeline().addBefore(reader.name(), "interim", new InterimAnswers());
    }
  }

  /** Nothing of them is to be released: they have no body. */
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpResponse response) {
      interim = isInterim(response.status());
    }
    if (!interim) {
      context.fireChannelRead(message);
    } else if (message instanceof LastHttpContent) {
      interim = false;
    }
  }

  private static boolean isInterim(HttpResponseStatus status) {
    return status.codeClass() == HttpStatusClass.INFORMATIONAL
        && status.code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code();
  }
}
