package dev.postroom.fanout;

import dev.postroom.room.MessageLog;
import dev.postroom.room.Room;
import dev.postroom.room.RoomId;
import dev.postroom.room.RoomMessage;
import dev.postroom.room.Rooms;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Every query that fan-out makes, counted: a crowd that comes back should cost a handful. Safe for
 * any thread.
 */
@Startup // its meters are there from the first scrape on
@ApplicationScoped
class Reads {
  private final Rooms rooms;
  private final MessageLog log;
  private final Counter queries;

  Reads(Rooms rooms, MessageLog log, MeterRegistry meters) {
    this.rooms = rooms;
    this.log = log;
    this.queries = meters.counter("postroom.fanout.queries");
  }

  Uni<@Nullable Room> room(RoomId id) {
    queries.increment();
    return rooms.find(id);
  }

  Uni<Map<Long, Room>> open(Collection<Long> numbers) {
    queries.increment();
    return rooms.open(numbers);
  }

  Uni<List<RoomMessage>> after(Room room, long after, int limit) {
    queries.increment();
    return log.after(room, after, limit);
  }

  Uni<MessageLog.Continuation> continuation(Room room, long after, int limit) {
    queries.increment();
    return log.continuation(room, after, limit);
  }

  Uni<List<RoomMessage>> before(Room room, long before, int limit) {
    queries.increment();
    return log.before(room, before, limit);
  }
}
