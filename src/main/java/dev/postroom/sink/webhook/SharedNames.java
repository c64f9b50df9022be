package dev.postroom.sink.webhook;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One lookup of a host at a time: who asks meanwhile gets its answer too. So a name server that
 * does not answer for a host holds up nobody but those who ask for it. Safe for any thread.
 */
final class SharedNames implements Names {
  private final Vertx vertx;
  private final Names names;
  private final Map<String, Future<List<InetAddress>>> running = new ConcurrentHashMap<>();

  SharedNames(Vertx vertx, Names names) {
    this.vertx = vertx;
    this.names = names;
  }

  @Override
  public Future<List<InetAddress>> addresses(String host) {
    Context caller = vertx.getOrCreateContext();
    Promise<List<InetAddress>> here = Promise.promise();
    lookUp(host).onComplete(found -> caller.runOnContext(back -> here.handle(found)));
    return here.future();
  }

  /** A host that is known at once is answered before this returns: first it is written down. */
  private Future<List<InetAddress>> lookUp(String host) {
    Promise<List<InetAddress>> found = Promise.promise();
    Future<List<InetAddress>> earlier = running.putIfAbsent(host, found.future());
    if (earlier != null) {
      return earlier;
    }
    names
        .addresses(host)
        .onComplete(
            looked -> {
              running.remove(host);
              found.handle(looked);
            });
    return found.future();
  }
}
