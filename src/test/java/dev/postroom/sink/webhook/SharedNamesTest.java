package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SharedNamesTest {
  private static final List<InetAddress> ADDRESSES = List.of(InetAddress.getLoopbackAddress());

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    vertx.close();
  }

  @Test
  @DisplayName("H4: a host that is known before its asker can listen is answered, time and again")
  void knownAtOnce() throws Exception {
    SharedNames names = new SharedNames(vertx, host -> Future.succeededFuture(ADDRESSES));
    for (int i = 0; i < 3; i++) {
      assertEquals(ADDRESSES, ended(names.addresses("hooks.example")));
    }
  }

  @Test
  @DisplayName("A failure that is known at once is told, and the host is asked for again")
  void unknownAtOnce() {
    List<String> asked = new ArrayList<>();
    SharedNames names =
        new SharedNames(
            vertx,
            host -> {
              asked.add(host);
              return Future.failedFuture(new UnknownHostException(host));
            });
    for (int i = 0; i < 3; i++) {
      assertEquals(
          UnknownHostException.class,
          assertThrows(ExecutionException.class, () -> ended(names.addresses("hooks.example")))
              .getCause()
              .getClass());
    }
    assertEquals(3, asked.size());
  }

  @Test
  @DisplayName(
      "Those who ask while a host is looked up share the answer; another host waits for none")
  void shared() throws Exception {
    List<Promise<List<InetAddress>>> lookups = new ArrayList<>();
    SharedNames names =
        new SharedNames(
            vertx,
            host -> {
              Promise<List<InetAddress>> lookup = Promise.promise();
              lookups.add(lookup);
              return lookup.future();
            });
    List<Future<List<InetAddress>>> asked =
        IntStream.range(0, 20).mapToObj(i -> names.addresses("slow.example")).toList();
    Future<List<InetAddress>> other = names.addresses("other.example");
    assertEquals(2, lookups.size());
    lookups.get(1).complete(ADDRESSES);
    assertEquals(ADDRESSES, ended(other));
    assertTrue(asked.stream().noneMatch(Future::isComplete));
    lookups.get(0).complete(ADDRESSES);
    for (Future<List<InetAddress>> each : asked) {
      assertEquals(ADDRESSES, ended(each));
    }
  }

  @Test
  @DisplayName("The system's own names, many times")
  void systemNames() throws Exception {
    try (SystemNames system = new SystemNames(vertx)) {
      SharedNames names = new SharedNames(vertx, system);
      for (int i = 0; i < 2_000; i++) {
        assertTrue(
            ended(names.addresses("localhost")).stream().allMatch(InetAddress::isLoopbackAddress));
      }
    }
  }

  private static <T> T ended(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }
}
