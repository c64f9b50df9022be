package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postroom.access.TokenRejected.Reason;
import dev.postroom.testkit.TokenMint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.jwt.auth.principal.DefaultJWTParser;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys served over HTTP by an issuer that rotates them, is slow, or is away. */
class KeyRotationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger readings = new AtomicInteger();
  private volatile String answer = "";
  private volatile int status = 200;
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private HttpServer issuer;

  @BeforeEach
  void start() throws IOException {
    issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer.setExecutor(Executors.newCachedThreadPool());
    issuer.createContext("/jwks", this::serve);
    issuer.start();
  }

  @AfterEach
  void stop() {
    gate.countDown();
    issuer.stop(0);
    ((ExecutorService) issuer.getExecutor()).shutdownNow();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private void serve(HttpExchange exchange) throws IOException {
    readings.incrementAndGet();
    try {
      gate.await();
    } catch (InterruptedException e) {
      return;
    }
    byte[] body = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private Tokens tokens(String place, Duration refresh, Duration againAfter, Duration deadline) {
    KeyLocation location = new KeyLocation(place, deadline, vertx);
    TokenRules rules =
        new TokenRules(TokenMint.ISSUER, Set.of(TokenMint.AUDIENCE), Duration.ofSeconds(30));
    return new Tokens(
        new DefaultJWTParser(),
        new ReadKeys(location::read, rules, refresh, againAfter, Clock.systemUTC()),
        new SimpleMeterRegistry());
  }

  private Tokens remote(Duration againAfter, Duration deadline) {
    String url = "http://127.0.0.1:" + issuer.getAddress().getPort() + "/jwks";
    return tokens(url, Duration.ofHours(1), againAfter, deadline);
  }

  @Test
  @DisplayName("AUTH-08: keys rotate 30 times under load; no good token is ever refused")
  void rotationUnderLoad() throws Exception {
    List<TokenMint> mints = new ArrayList<>();
    for (int i = 0; i < 31; i++) {
      mints.add(TokenMint.ec("k" + i));
    }
    answer = TokenMint.jwks(mints.get(0));
    AtomicInteger published = new AtomicInteger(0);
    Tokens tokens = remote(Duration.ZERO, PATIENCE);
    AtomicBoolean done = new AtomicBoolean();
    ConcurrentLinkedQueue<Throwable> refused = new ConcurrentLinkedQueue<>();
    AtomicIntegerArray verified = new AtomicIntegerArray(4);
    ExecutorService clients = Executors.newFixedThreadPool(4);
    List<Future<?>> running = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      int client = number;
      running.add(
          clients.submit(
              () -> {
                while (!done.get()) {
                  TokenMint mint = mints.get(published.get());
                  try {
                    tokens.verify(mint.token("anna")).await().atMost(PATIENCE);
                    verified.incrementAndGet(client);
                  } catch (RuntimeException e) {
                    refused.add(e);
                  }
                }
              }));
    }
    for (int next = 1; next <= 30; next++) {
      // Old keys stay published beside the new one, as issuers do: a client may be slow.
      answer = TokenMint.jwks(mints.subList(0, next + 1).toArray(TokenMint[]::new));
      published.set(next);
      // Each of them, or a client that the machine held up comes with a key two rotations old.
      for (int client = 0; client < 4; client++) {
        int before = verified.get(client);
        while (verified.get(client) < before + 5 && refused.isEmpty()) {
          Thread.onSpinWait();
        }
      }
    }
    done.set(true);
    for (Future<?> client : running) {
      client.get();
    }
    clients.shutdown();
    assertEquals(List.of(), List.copyOf(refused));
  }

  @Test
  @DisplayName("an old token is refused once its key is no longer published")
  void withdrawnKey() {
    TokenMint old = TokenMint.ec("old");
    TokenMint fresh = TokenMint.ec("fresh");
    answer = TokenMint.jwks(old);
    Tokens tokens = remote(Duration.ZERO, PATIENCE);
    tokens.verify(old.token("anna")).await().atMost(PATIENCE);
    answer = TokenMint.jwks(fresh);
    tokens.verify(fresh.token("anna")).await().atMost(PATIENCE);
    TokenRejected rejected =
        assertThrows(
            TokenRejected.class, () -> tokens.verify(old.token("anna")).await().atMost(PATIENCE));
    assertEquals(Reason.UNKNOWN_KEY, rejected.reason());
  }

  @Test
  @DisplayName("a reading that does not end has a deadline, and known keys never wait for it")
  void slowIssuer() {
    TokenMint known = TokenMint.ec("known");
    TokenMint unknown = TokenMint.ec("unknown");
    answer = TokenMint.jwks(known);
    Tokens tokens = remote(Duration.ZERO, Duration.ofMillis(300));
    tokens.verify(known.token("anna")).await().atMost(PATIENCE);
    gate = new CountDownLatch(1);
    var waiting = tokens.verify(unknown.token("anna")).subscribeAsCompletionStage();
    tokens.verify(known.token("anna")).await().atMost(PATIENCE);
    Throwable failure = assertThrows(Exception.class, waiting::get).getCause();
    assertEquals(KeysUnavailable.class, failure.getClass());
  }

  @Test
  void anIssuerThatIsNotWell() {
    status = 500;
    Tokens tokens = remote(Duration.ofHours(1), PATIENCE);
    String token = TokenMint.ec("k").token("anna");
    for (int i = 0; i < 20; i++) {
      assertThrows(KeysUnavailable.class, () -> tokens.verify(token).await().atMost(PATIENCE));
    }
    assertEquals(1, readings.get());
  }

  @Test
  @DisplayName("S1: what an issuer answers has a bound")
  void tooLong() {
    answer = " ".repeat(300_000);
    Tokens tokens = remote(Duration.ofHours(1), PATIENCE);
    String token = TokenMint.ec("k").token("anna");
    assertThrows(KeysUnavailable.class, () -> tokens.verify(token).await().atMost(PATIENCE));
  }

  @Test
  void whyAFileCannotBeRead(@TempDir Path directory) {
    KeyLocation location = new KeyLocation(directory.resolve("no.pem").toString(), PATIENCE, vertx);
    Exception failure =
        assertThrows(Exception.class, () -> location.read().await().atMost(PATIENCE));
    assertEquals("there is no such file", failure.getCause().getMessage());
  }

  @Test
  @DisplayName("AUTH-08: a mounted file that is replaced")
  void rotatedFile(@TempDir Path directory) throws IOException {
    TokenMint old = TokenMint.rsa("old");
    TokenMint fresh = TokenMint.rsa("fresh");
    Path file = directory.resolve("key.pem");
    Files.writeString(file, old.pem());
    Tokens tokens =
        tokens(file.toString(), Duration.ofHours(1), Duration.ZERO, Duration.ofSeconds(5));
    tokens.verify(old.token("anna")).await().atMost(PATIENCE);
    Files.writeString(file, fresh.pem());
    assertEquals("anna", tokens.verify(fresh.token("anna")).await().atMost(PATIENCE).participant());
  }
}
