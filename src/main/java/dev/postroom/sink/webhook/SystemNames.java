package dev.postroom.sink.webhook;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * As the system resolves names. The lookup blocks, so it has threads of its own; one host takes one
 * of them at most, so that a name server that does not answer for it holds up nobody else.
 *
 * <p>Safe for any thread.
 */
final class SystemNames implements Names, AutoCloseable {

  private static final int THREADS = 16;

  private final Vertx vertx;
  private final WorkerExecutor threads;
  private final Map<String, Future<List<InetAddress>>> running = new ConcurrentHashMap<>();

  SystemNames(Vertx vertx) {
    this.vertx = vertx;
    this.threads = vertx.createSharedWorkerExecutor("webhook-names", THREADS);
  }

  @Override
  public Future<List<InetAddress>> addresses(String host) {
    Context caller = vertx.getOrCreateContext();
    Promise<List<InetAddress>> here = Promise.promise();
    running
        .computeIfAbsent(host, this::lookUp)
        .onComplete(found -> caller.runOnContext(back -> here.handle(found)));
    return here.future();
  }

  private Future<List<InetAddress>> lookUp(String host) {
    Promise<List<InetAddress>> found = Promise.promise();
    threads
        .executeBlocking(() -> List.of(InetAddress.getAllByName(host)), false)
        .onComplete(
            looked -> {
              running.remove(host);
              found.handle(looked.map(SystemNames::plain));
            });
    return found.future();
  }

  private static List<InetAddress> plain(List<InetAddress> found) {
    return found.stream().map(each -> Literal.of(each.getAddress())).toList();
  }

  @Override
  public void close() {
    threads.close();
  }
}
