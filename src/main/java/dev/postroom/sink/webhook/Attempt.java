package dev.postroom.sink.webhook;

import dev.postroom.outbox.DeliveryResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One POST, from the name to the answer, within one deadline. The host is looked up anew, every
 * address found is checked, and the connection goes to an address that was checked, whatever the
 * name stands for by then (W1).
 *
 * <p>The status decides; the body of the answer is read up to a bound and for a moment, dropped,
 * and seen by nobody (W4). Confined to the context of its caller.
 */
final class Attempt {

  /** For the body, which changes nothing any more, but holds the connection. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final Courier courier;
  private final Target target;
  private final Map<String, String> headers;
  private final byte[] body;
  private final Promise<DeliveryResult> result = Promise.promise();
  private @Nullable HttpClientRequest request;
  private long timer;
  private long drained;
  private boolean over;

  /** Whether nothing was sent before on what the request goes over; true before there is one. */
  private boolean first = true;

  Attempt(Courier courier, Target target, Map<String, String> headers, byte[] body) {
    this.courier = courier;
    this.target = target;
    this.headers = headers;
    this.body = body;
  }

  /** Starts it, on this context; a failure is a fault of ours. */
  Future<DeliveryResult> run(Context context) {
    context.runOnContext(start -> begin());
    return result.future();
  }

  private void begin() {
    timer = courier.vertx().setTimer(courier.deadline().toMillis(), late -> expire());
    Future.succeededFuture(target.literal())
        .compose(this::addresses)
        .compose(this::check)
        .compose(this::exchange)
        .onSuccess(this::answered)
        .onFailure(this::fail);
  }

  private Future<List<InetAddress>> addresses(@Nullable InetAddress literal) {
    return literal == null
        ? courier.names().addresses(target.host())
        : Future.succeededFuture(List.of(literal));
  }

  private Future<List<InetAddress>> check(List<InetAddress> found) {
    return found.stream().allMatch(address -> courier.reach().permits(target, address))
        ? Future.succeededFuture(found)
        : Future.failedFuture(new Unreached.Forbidden());
  }

  /**
   * A receiver may end a connection that was kept just when it is used again, and nobody is to
   * blame for that. The event is sent once more then: its id is the same (H5). On a new connection
   * this cannot be, so it comes to an end.
   */
  private Future<HttpClientResponse> exchange(List<InetAddress> checked) {
    return connect(checked, 0)
        .compose(this::send)
        .recover(
            failure -> {
              if (over || first || !Unreached.isEnd(failure)) {
                return Future.failedFuture(failure);
              }
              request = null;
              first = true;
              return exchange(checked);
            });
  }

  /** Nothing has been sent while connecting, so that another address may be tried. */
  private Future<HttpClientRequest> connect(List<InetAddress> addresses, int index) {
    return courier
        .client()
        .request(options(addresses.get(index)))
        .recover(
            failure ->
                over || index + 1 == addresses.size()
                    ? Future.failedFuture(failure)
                    : connect(addresses, index + 1));
  }

  private RequestOptions options(InetAddress address) {
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setServer(SocketAddress.inetSocketAddress(target.port(), address.getHostAddress()))
        .setHost(target.host())
        .setPort(target.port())
        .setSsl(target.tls())
        .setURI(target.uri())
        .setHeaders(MultiMap.caseInsensitiveMultiMap().addAll(headers))
        .putHeader(HttpHeaders.HOST, target.authority())
        .setFollowRedirects(false)
        .setConnectTimeout(courier.connectTimeout().toMillis());
  }

  private Future<HttpClientResponse> send(HttpClientRequest ready) {
    if (over) {
      ready.reset();
      return Future.failedFuture(new TimeoutException());
    }
    request = ready;
    first = courier.isFirstOn(ready.connection());
    return ready.send(Buffer.buffer(body));
  }

  private void answered(HttpClientResponse response) {
    if (!over) {
      courier.vertx().cancelTimer(timer);
      timer = courier.vertx().setTimer(REST.toMillis(), late -> drop());
    }
    response.handler(this::drain).exceptionHandler(cut -> finish()).endHandler(all -> finish());
    result.tryComplete(courier.judge(response.statusCode(), response.getHeader("retry-after")));
  }

  private void drain(Buffer bytes) {
    drained += bytes.length();
    if (drained > courier.answerBytes()) {
      drop();
    }
  }

  private void expire() {
    result.tryComplete(Unreached.late(courier.deadline(), request != null));
    drop();
  }

  private void fail(Throwable failure) {
    DeliveryResult fault =
        request == null ? Unreached.of(failure) : Unreached.afterSending(failure);
    if (fault == null) {
      result.tryFail(failure);
    } else {
      result.tryComplete(fault);
    }
    finish();
  }

  /** Ends the connection with whatever is still on its way. */
  private void drop() {
    finish();
    if (request != null) {
      request.connection().close();
    }
  }

  private void finish() {
    if (!over) {
      over = true;
      courier.vertx().cancelTimer(timer);
      courier.ended();
    }
  }
}
