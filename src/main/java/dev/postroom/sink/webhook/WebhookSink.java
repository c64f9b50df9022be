package dev.postroom.sink.webhook;

import dev.postroom.outbox.DeliveryResult;
import dev.postroom.outbox.RoomEvent;
import dev.postroom.outbox.Sink;
import dev.postroom.outbox.SinkRow;
import dev.postroom.sink.Envelope;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A webhook. Every attempt has the same id and the same bytes, and is signed anew with all secrets
 * that are valid at that moment (W6, W12). Safe for any thread.
 */
final class WebhookSink implements Sink {

  private final SinkRow settings;
  private final Target target;
  private final Courier courier;
  private final Envelope envelope;
  private final Secrets secrets;
  private volatile @Nullable List<Opened> opened;

  WebhookSink(SinkRow settings, Courier courier, Envelope envelope, Secrets secrets) {
    this.settings = settings;
    this.target = Target.parse(settings.target());
    this.courier = courier;
    this.envelope = envelope;
    this.secrets = secrets;
  }

  private record Opened(SigningSecret secret, @Nullable Instant expiresAt) {

    boolean valid(Instant now) {
      return expiresAt == null || expiresAt.isAfter(now);
    }
  }

  @Override
  public Uni<DeliveryResult> deliver(RoomEvent event) {
    return Uni.createFrom()
        .emitter(emitter -> attempt(event).onSuccess(emitter::complete).onFailure(emitter::fail));
  }

  private Future<DeliveryResult> attempt(RoomEvent event) {
    Envelope.Packet packet = envelope.packet(event, settings);
    return courier.post(target, headers(event, packet), packet.body());
  }

  private Map<String, String> headers(RoomEvent event, Envelope.Packet packet) {
    Instant now = courier.clock().instant();
    long timestamp = now.getEpochSecond();
    Map<String, String> headers = new LinkedHashMap<>(packet.headers());
    headers.put("user-agent", courier.userAgent());
    headers.put(Signature.ID, event.id());
    headers.put(Signature.TIMESTAMP, Long.toString(timestamp));
    headers.put(
        Signature.SIGNATURE, Signature.sign(event.id(), timestamp, packet.body(), valid(now)));
    return headers;
  }

  private List<SigningSecret> valid(Instant now) {
    List<SigningSecret> valid =
        opened().stream().filter(each -> each.valid(now)).map(Opened::secret).toList();
    if (valid.isEmpty()) {
      throw new IllegalStateException("a webhook without a valid secret cannot be signed");
    }
    return valid;
  }

  /** Not before the first attempt: without the key there is a sink, whose attempts fail. */
  private List<Opened> opened() {
    List<Opened> known = opened;
    if (known == null) {
      List<Opened> fresh = new ArrayList<>();
      for (SinkRow.Secret secret : settings.secrets()) {
        fresh.add(new Opened(secrets.open(secret.sealed()), secret.expiresAt()));
      }
      opened = known = List.copyOf(fresh);
    }
    return known;
  }

  @Override
  public void close() {
    courier.close();
  }
}
