package dev.postroom.receiving;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postroom.receiving.Inbox.Verdict;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A receiver of Postroom's webhooks: checks the signature, applies the event through an {@link
 * Inbox}, fetches what is missing. {@code docs/receiving.md} explains it.
 */
final class Receiver implements AutoCloseable {
  private static final Duration TOLERANCE = Duration.ofMinutes(5);
  private static final int LARGEST_BODY = 1 << 20;

  private final byte[] secret;
  private final Inbox inbox;
  private final Missing missing;
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final HttpServer server;

  /**
   * @param secret as it was shown when the sink was made: {@code whsec_…}
   */
  Receiver(String secret, Inbox inbox, Missing missing) throws IOException {
    this.secret = Base64.getDecoder().decode(secret.substring("whsec_".length()));
    this.inbox = inbox;
    this.missing = missing;
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext("/hook", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  /** Where numbers that did not come are fetched: GET /api/sinks/{id}/events?room=&epoch=&from=. */
  interface Missing {
    List<Event> fetch(String room, String epoch, long from) throws IOException;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      // The exact bytes: the signature is over them, not over what they mean.
      byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY);
      if (!isSigned(exchange.getRequestHeaders(), body, Instant.now())) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      exchange.sendResponseHeaders(status(body), -1);
    }
  }

  /** Success only for what is committed here. Everything else comes again. */
  private int status(byte[] body) {
    try {
      Event event = Event.read(body);
      if (!event.isMessage() && !event.isGap()) {
        // Such as a test, or what a later version has to tell.
        return 204;
      }
      return take(event) == Verdict.AHEAD ? 503 : 204;
    } catch (SQLException | RuntimeException e) {
      return 500;
    } catch (IOException e) {
      return 400;
    }
  }

  private Verdict take(Event event) throws SQLException, IOException {
    Verdict verdict = inbox.take(event);
    if (verdict != Verdict.AHEAD) {
      return verdict;
    }
    inbox.takeAll(missing.fetch(event.room(), event.epoch(), inbox.next(event)));
    return inbox.take(event);
  }

  private boolean isSigned(Headers headers, byte[] body, Instant now) {
    String id = headers.getFirst("webhook-id");
    String timestamp = headers.getFirst("webhook-timestamp");
    String signatures = headers.getFirst("webhook-signature");
    if (id == null || signatures == null || timestamp == null || !timestamp.matches("\\d{1,12}")) {
      return false;
    }
    Instant at = Instant.ofEpochSecond(Long.parseLong(timestamp));
    if (Duration.between(at, now).abs().compareTo(TOLERANCE) > 0) {
      // Perhaps a replay of something that was overheard.
      return false;
    }
    byte[] expected = ("v1," + hmac(id + "." + timestamp + ".", body)).getBytes(UTF_8);
    boolean good = false;
    for (String each : signatures.split(" ", -1)) {
      // Several while a secret is rotated. Compared in constant time.
      good |= MessageDigest.isEqual(expected, each.getBytes(UTF_8));
    }
    return good;
  }

  private String hmac(String head, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(head.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
