package dev.postroom.receiving;

import static dev.postroom.receiving.Consumer.gap;
import static dev.postroom.receiving.Consumer.message;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.sink.webhook.Signature;
import dev.postroom.sink.webhook.SigningSecret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The receiver of docs/receiving.md, posted to as our webhooks post. */
class ReceiverTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final Consumer consumer = new Consumer();
  private final List<Event> kept = new ArrayList<>();
  private Receiver receiver;

  @BeforeEach
  void start() throws IOException {
    receiver =
        new Receiver(
            Consumer.SECRET,
            consumer.inbox("a"),
            (room, epoch, from) -> kept.stream().filter(event -> event.seq() >= from).toList());
  }

  @AfterEach
  void stop() {
    receiver.close();
  }

  private int post(String secret, Instant at, String body) throws Exception {
    long seconds = at.getEpochSecond();
    byte[] bytes = body.getBytes(UTF_8);
    String signature = Signature.sign("id", seconds, bytes, List.of(SigningSecret.parse(secret)));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(receiver.url()))
            .timeout(Duration.ofSeconds(60))
            .header(Signature.ID, "id")
            .header(Signature.TIMESTAMP, Long.toString(seconds))
            .header(Signature.SIGNATURE, "v1,AAAA " + signature)
            .POST(BodyPublishers.ofByteArray(bytes))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private int post(String body) throws Exception {
    return post(Consumer.SECRET, Instant.now(), body);
  }

  @Test
  @DisplayName("204 after the commit, for repeats too")
  void taken() throws Exception {
    assertEquals(204, post(message(1, "one")));
    assertEquals(204, post(message(1, "one")));
    assertEquals(204, post(gap(2)));
    assertEquals(204, post(message(3, "three")));
    assertEquals(List.of("1 one", "3 three"), consumer.applied("a"));
  }

  @Test
  @DisplayName("W12: a wrong signature and an old timestamp are 401, before anything is read")
  void unsigned() throws Exception {
    String other = "whsec_" + "B".repeat(32);
    assertEquals(401, post(other, Instant.now(), message(1, "one")));
    assertEquals(401, post(Consumer.SECRET, Instant.now().minusSeconds(400), message(1, "one")));
    assertEquals(401, post(Consumer.SECRET, Instant.now().plusSeconds(400), message(1, "one")));
    assertEquals(400, post("nonsense"));
    assertEquals(List.of(), consumer.applied("a"));
  }

  @Test
  @DisplayName("an effect that fails is no success: it comes again")
  void failingEffect() throws Exception {
    consumer.before =
        (transaction, event) -> {
          throw new SQLException("by intent");
        };
    assertEquals(500, post(message(1, "one")));
    consumer.before = (transaction, event) -> {};
    assertEquals(204, post(message(1, "one")));
    assertEquals(List.of("1 one"), consumer.applied("a"));
  }

  @Test
  @DisplayName("a hole is fetched; where it cannot be, the answer is 503 and nothing is skipped")
  void hole() throws Exception {
    assertEquals(204, post(message(1, "one")));
    assertEquals(503, post(message(4, "four")));
    kept.add(Event.read(message(2, "two").getBytes(UTF_8)));
    kept.add(Event.read(message(3, "three").getBytes(UTF_8)));
    assertEquals(204, post(message(4, "four")));
    assertEquals(List.of("1 one", "2 two", "3 three", "4 four"), consumer.applied("a"));
  }

  @Test
  @DisplayName("what a receiver does not know is no fault")
  void unknownTypes() throws Exception {
    String test = message(0, "").replace("dev.postroom.message.accepted.v1", "something.else");
    assertEquals(204, post(test));
  }
}
