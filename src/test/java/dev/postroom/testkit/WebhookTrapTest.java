package dev.postroom.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.sink.webhook.Signature;
import dev.postroom.sink.webhook.SigningSecret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhookTrapTest {
  private static final SigningSecret SECRET = SigningSecret.generate(new SecureRandom());

  private final HttpClient client = HttpClient.newHttpClient();
  private WebhookTrap trap;

  @BeforeEach
  void open() {
    trap = WebhookTrap.open();
  }

  @AfterEach
  void close() {
    trap.close();
  }

  @Test
  void recordsInOrderAndVerifies() throws Exception {
    trap.secrets(SECRET.text());
    assertEquals(204, post("1", "one", SECRET).statusCode());
    assertEquals(204, post("2", "two", SigningSecret.generate(new SecureRandom())).statusCode());
    assertEquals(List.of("1", "2"), trap.await(2).stream().map(each -> each.id()).toList());
    assertEquals("two", trap.deliveries().get(1).body().toString());
    assertEquals(List.of("delivery 1 (2): WRONG"), trap.wrongs());
  }

  @Test
  void failsCutsAndComesBack() throws Exception {
    trap.answer(delivery -> WebhookTrap.Answer.status(503).with("Retry-After", "7"));
    HttpResponse<Void> failed = post("1", "", SECRET);
    assertEquals(
        "503 7", failed.statusCode() + " " + failed.headers().map().get("retry-after").get(0));
    trap.cut();
    assertThrows(IOException.class, () -> post("2", "", SECRET));
    trap.take();
    trap.down();
    assertThrows(IOException.class, () -> post("3", "", SECRET));
    trap.up();
    assertEquals(204, post("4", "", SECRET).statusCode());
  }

  @Test
  void holdsUntilReleased() {
    trap.hold();
    CompletableFuture<HttpResponse<Void>> held =
        client.sendAsync(request("1", "", SECRET), BodyHandlers.discarding());
    trap.await(1);
    assertEquals(false, held.isDone());
    trap.release();
    assertEquals(204, held.join().statusCode());
  }

  private HttpResponse<Void> post(String id, String body, SigningSecret secret) throws Exception {
    return client.send(request(id, body, secret), BodyHandlers.discarding());
  }

  private HttpRequest request(String id, String body, SigningSecret secret) {
    long now = Instant.now().getEpochSecond();
    return HttpRequest.newBuilder(URI.create(trap.url("/hook")))
        .header(Signature.ID, id)
        .header(Signature.TIMESTAMP, Long.toString(now))
        .header(Signature.SIGNATURE, Signature.sign(id, now, body.getBytes(UTF_8), List.of(secret)))
        .POST(BodyPublishers.ofString(body))
        .build();
  }
}
