package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.outbox.DeliveryResult.Delivered;
import dev.postroom.outbox.DeliveryResult.SinkFault;
import dev.postroom.testkit.WebhookTrap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The address that is connected to is one that was checked, whatever a name stands for. */
class PinnedAddressTest {
  private static final SinkFault FORBIDDEN =
      new SinkFault(
          "the host's address is not a public one, nor in postroom.webhook.allow", false, null);

  private final WebhookTrap trap = WebhookTrap.open();
  private final Bench bench = new Bench("connect-timeout", "2S");
  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger inside = new AtomicInteger();

  @AfterEach
  void close() {
    bench.close();
    trap.close();
    Bench.get(vertx.close());
  }

  /** Where 127.0.0.1 is allowed and plays the public address, 127.0.0.2 is the network inside. */
  private void listenInside() {
    HttpServer server =
        vertx
            .createHttpServer()
            .connectionHandler(connection -> inside.incrementAndGet())
            .requestHandler(request -> request.response().end());
    Bench.get(server.listen(trap.port(), "127.0.0.2"));
  }

  private String url() {
    // A name that nobody knows: only the address that was looked up can be what is connected to.
    return "http://hooks.invalid:" + trap.port() + "/hook";
  }

  @Test
  @DisplayName("W1: a name that stands for an inner address at the second attempt is refused then")
  void rebindingIsSeen() {
    listenInside();
    assertEquals(new Delivered(), bench.deliver(url()));
    bench.addresses = List.of("127.0.0.2");
    assertEquals(FORBIDDEN, bench.deliver(url()));
    bench.addresses = List.of("127.0.0.1");
    assertEquals(new Delivered(), bench.deliver(url()));
    assertEquals(List.of("hooks.invalid", "hooks.invalid", "hooks.invalid"), bench.lookups);
    assertEquals(0, inside.get());
    assertEquals(2, trap.size());
    assertEquals("hooks.invalid:" + trap.port(), trap.deliveries().get(0).header("host"));
  }

  @Test
  @DisplayName("W1: one inner address among several refuses all")
  void everyAddressIsChecked() {
    listenInside();
    bench.addresses = List.of("127.0.0.1", "127.0.0.2");
    assertEquals(FORBIDDEN, bench.deliver(url()));
    bench.addresses = List.of("127.0.0.2", "127.0.0.1");
    assertEquals(FORBIDDEN, bench.deliver(url()));
    assertEquals(0, inside.get() + trap.size());
  }

  @ParameterizedTest
  @DisplayName(
      "W3: whatever a name such as metadata.google.internal stands for is judged by address")
  @ValueSource(
      strings = {
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "fd00:ec2::254",
        "100.100.100.200",
        "127.0.0.2",
        "::1",
        "::",
        "0.0.0.0",
        "10.0.0.1"
      })
  void innerAddressesAreRefused(String address) {
    bench.addresses = List.of(address);
    assertEquals(FORBIDDEN, bench.deliver("https://metadata.google.internal/hook"));
    assertEquals(FORBIDDEN, bench.deliver("http://metadata.google.internal/hook"));
  }

  @Test
  @DisplayName("http is for allowed addresses, as seen at each attempt")
  void plainToThePublicIsRefused() {
    bench.addresses = List.of("1.1.1.1");
    assertEquals(FORBIDDEN, bench.deliver("http://hooks.invalid/"));
    assertEquals(FORBIDDEN, bench.deliver("https://hooks.invalid:9000/"));
  }

  @Test
  void theNextAddressIsTriedWhereNobodyListens() throws Exception {
    try (Bench both = new Bench("allow", "127.0.0.0/8")) {
      both.addresses = List.of("127.0.0.3", "127.0.0.1");
      assertEquals(new Delivered(), both.deliver(url()));
    }
  }

  @Test
  void sixIsWrittenInBrackets() throws Exception {
    Assumptions.assumeTrue(hasSix(), "no IPv6 on this machine");
    AtomicReference<String> host = new AtomicReference<>();
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(
                request -> {
                  host.set(request.getHeader("host"));
                  request.response().end();
                });
    int port = Bench.get(server.listen(0, "::1")).actualPort();
    try (Bench six = new Bench("allow", "::1")) {
      assertEquals(new Delivered(), six.deliver("http://[::1]:" + port + "/"));
    }
    assertEquals("[::1]:" + port, host.get());
  }

  private static boolean hasSix() {
    try (java.net.ServerSocket socket =
        new java.net.ServerSocket(0, 1, InetAddress.getByName("::1"))) {
      return socket.isBound();
    } catch (java.io.IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @DisplayName("W3: what the system makes of other spellings is refused as well")
  @ValueSource(
      strings = {
        "localhost",
        "2130706433",
        "0x7f000001",
        "127.1",
        "127.0.0.1",
        "::ffff:127.0.0.1",
        "::1",
        "::",
        "0"
      })
  void theSystemsReadingIsChecked(String host) {
    Reach reach = new Reach(new Addresses(List.of()), List.of(443));
    Target target = Target.parse("https://hooks.invalid/");
    SystemNames names = new SystemNames(vertx);
    names
        .addresses(host)
        .toCompletionStage()
        .handle(
            (found, unknown) -> {
              if (unknown == null) {
                assertFalse(found.isEmpty());
                assertTrue(found.stream().noneMatch(each -> reach.permits(target, each)), host);
              }
              return found;
            })
        .toCompletableFuture()
        .join();
    names.close();
  }
}
