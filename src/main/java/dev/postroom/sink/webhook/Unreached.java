package dev.postroom.sink.webhook;

import dev.postroom.outbox.DeliveryResult.SinkFault;
import io.vertx.core.VertxException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What is said of attempts without an answer. In words of our own: a failure's message may hold
 * addresses of the network inside.
 */
final class Unreached {

  private Unreached() {}

  /** The host has an address to which webhooks may not go. */
  static final class Forbidden extends Exception {
    private static final long serialVersionUID = 1L;

    Forbidden() {
      super("forbidden address", null, false, false);
    }
  }

  /**
   * At the deadline.
   *
   * @param sent whether the request was sent by then
   */
  static SinkFault late(Duration deadline, boolean sent) {
    return new SinkFault("no answer within " + deadline.toMillis() + " ms", sent, null);
  }

  /** The same of a failure after the request was sent: whatever it is, it came from there. */
  static SinkFault afterSending(Throwable failure) {
    SinkFault known = of(failure);
    return new SinkFault(known == null ? "what answered is not HTTP" : known.reason(), true, null);
  }

  /** The fault of the sink that the failure is, or null where it is none that we know. */
  static @Nullable SinkFault of(Throwable failure) {
    if (failure instanceof Forbidden) {
      return fault("the host's address is not a public one, nor in postroom.webhook.allow");
    }
    if (failure instanceof UnknownHostException) {
      return fault("the host's name could not be resolved");
    }
    if (failure instanceof SSLException) {
      return fault("TLS failed: is its certificate valid for this host?");
    }
    if (failure instanceof ConnectException || failure instanceof TimeoutException) {
      return fault("could not connect");
    }
    if (isEnd(failure)) {
      return fault("the connection ended without an answer");
    }
    return null;
  }

  /** Of a request that was sent: whether its connection ended under it. */
  static boolean isEnd(Throwable failure) {
    return (failure instanceof IOException && !(failure instanceof SSLException))
        || failure instanceof VertxException;
  }

  private static SinkFault fault(String reason) {
    return new SinkFault(reason, false, null);
  }
}
