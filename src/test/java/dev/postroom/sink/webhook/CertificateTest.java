package dev.postroom.sink.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.DeliveryResult.Delivered;
import dev.postroom.outbox.DeliveryResult.SinkFault;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS is for the name in the URL, although the connection goes to an address. */
class CertificateTest {
  private static final String PASSWORD = "password";
  private static final SinkFault REFUSED =
      new SinkFault("TLS failed: is its certificate valid for this host?", false, null);

  @TempDir static Path directory;
  private static final Vertx VERTX = Vertx.vertx();
  private static PfxOptions keys;
  private static int port;

  @BeforeAll
  static void listen() throws Exception {
    Path store = directory.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "hooks",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=hooks.example.com",
                "-ext",
                "SAN=dns:hooks.example.com",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .inheritIO()
            .start();
    assertEquals(0, keytool.waitFor());
    keys = new PfxOptions().setPath(store.toString()).setPassword(PASSWORD);
    port =
        Bench.get(
                VERTX
                    .createHttpServer(
                        new HttpServerOptions().setSsl(true).setPfxKeyCertOptions(keys))
                    .requestHandler(request -> request.response().end())
                    .listen(0, "127.0.0.1"))
            .actualPort();
  }

  @AfterAll
  static void end() {
    Bench.get(VERTX.close());
  }

  @Test
  void theRightNameWillDo() {
    assertEquals(new Delivered(), deliver(trusting(), "hooks.example.com"));
  }

  @Test
  void anotherNameIsRefused() {
    assertEquals(REFUSED, deliver(trusting(), "other.example.com"));
  }

  @Test
  void theAddressIsNoName() {
    assertEquals(REFUSED, deliver(trusting(), "127.0.0.1"));
  }

  @Test
  void whoSignedItMustBeTrusted() {
    assertEquals(REFUSED, deliver(new HttpClientOptions(), "hooks.example.com"));
  }

  private static HttpClientOptions trusting() {
    return new HttpClientOptions().setPfxTrustOptions(keys);
  }

  private static DeliveryResult deliver(HttpClientOptions options, String host) {
    try (Bench bench = new Bench(options)) {
      return bench.deliver("https://" + host + ":" + port + "/hook");
    }
  }
}
