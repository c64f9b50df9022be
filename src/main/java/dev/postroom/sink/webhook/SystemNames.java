package dev.postroom.sink.webhook;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.net.InetAddress;
import java.util.List;

/**
 * As the system resolves names. The lookup blocks, so it has threads of its own. Safe for any
 * thread.
 */
final class SystemNames implements Names, AutoCloseable {

  private static final int THREADS = 16;

  private final WorkerExecutor threads;

  SystemNames(Vertx vertx) {
    this.threads = vertx.createSharedWorkerExecutor("webhook-names", THREADS);
  }

  @Override
  public Future<List<InetAddress>> addresses(String host) {
    return threads
        .executeBlocking(() -> List.of(InetAddress.getAllByName(host)), false)
        .map(SystemNames::plain);
  }

  private static List<InetAddress> plain(List<InetAddress> found) {
    return found.stream().map(each -> Literal.of(each.getAddress())).toList();
  }

  @Override
  public void close() {
    threads.close();
  }
}
