package dev.postroom.outbox;

import dev.postroom.room.RoomId;
import io.quarkus.arc.All;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The kinds of sinks that this version has. Safe for any thread. */
@ApplicationScoped
public class SinkTypes {
  private static final Logger LOG = Logger.getLogger(SinkTypes.class);
  private static final RoomId TEST_ROOM = new RoomId("postroom:test");

  private final Map<String, SinkType> types = new HashMap<>();

  SinkTypes(@All List<SinkType> types) {
    types.forEach(type -> this.types.put(type.name(), type));
  }

  /** Null if there is none. */
  public @Nullable SinkType named(String name) {
    return types.get(name);
  }

  public Set<String> names() {
    return new TreeSet<>(types.keySet());
  }

  /**
   * Sends one event that belongs to no room, whatever the state of the sink, and says what came of
   * it. Nothing is written and nothing is tried again; a fault of ours is an unanswered one.
   */
  public Uni<DeliveryResult> fire(SinkRow settings) {
    SinkType type = types.get(settings.type());
    if (type == null) {
      return Uni.createFrom()
          .item(ours("This version has no sinks of the type " + settings.type() + "."));
    }
    RoomEvent event = new RoomEvent.Test("test:" + UUID.randomUUID(), TEST_ROOM, Instant.now());
    return Uni.createFrom()
        .item(() -> type.open(settings))
        .chain(sink -> sink.deliver(event).eventually(sink::close))
        .onFailure()
        .recoverWithItem(
            failure -> {
              LOG.warnf("Sink %s could not be called: %s", settings.id(), failure.toString());
              return ours("Our own fault; see the log.");
            });
  }

  private static DeliveryResult ours(String reason) {
    return new DeliveryResult.SinkFault(reason, false, null);
  }
}
