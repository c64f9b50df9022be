package dev.postroom.fanout;

import dev.postroom.protocol.EncodedBody;
import dev.postroom.room.Room;
import dev.postroom.room.RoomMessage;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * Older messages for readers, read once for all who ask together.
 *
 * <p>What the lane's ring does not hold is read in blocks of {@value #BLOCK} numbers that begin at
 * fixed places, so that a thousand readers with neighbouring cursors want the same few blocks. A
 * block that is being read is shared by all who want it; a complete one is kept for a while. Safe
 * for any thread.
 */
final class Pages {

  /** Messages read at once. */
  static final int BLOCK = 100;

  private final Reads reads;
  private final BlockCache cache;
  private final ConcurrentMap<ReadKey, Uni<List<EncodedBody>>> reading = new ConcurrentHashMap<>();

  Pages(Reads reads, long cacheBytes) {
    this.reads = reads;
    this.cache = new BlockCache(cacheBytes);
  }

  /** At most {@code limit} messages and {@code maxBytes} after {@code after}. */
  Uni<Page> after(Lane lane, long after, int limit, long maxBytes) {
    Page recent = lane.recentAfter(after, limit, maxBytes);
    if (recent != null) {
      return Uni.createFrom().item(recent);
    }
    Room room = lane.room();
    return block(room, after / BLOCK)
        .map(bodies -> lane.page(cut(bodies, after, limit, maxBytes)))
        .chain(
            page ->
                page.messages().isEmpty() ? alone(lane, room, after, limit, maxBytes) : item(page));
  }

  /** The newest {@code limit} messages. */
  Uni<Page> newest(Lane lane, int limit) {
    Page recent = lane.recent(limit);
    if (recent != null) {
      return Uni.createFrom().item(recent);
    }
    return before(lane, lane.last() + 1, limit);
  }

  /** The last {@code limit} messages before {@code before}. */
  Uni<Page> before(Lane lane, long before, int limit) {
    Room room = lane.room();
    return shared(
            new ReadKey(room.no(), room.epoch(), before, limit),
            () -> reads.before(room, before, limit))
        .map(lane::page);
  }

  /** Drops the blocks of rooms whose numbers changed their meaning. */
  void forget(long roomNo) {
    cache.forget(roomNo);
  }

  private Uni<List<EncodedBody>> block(Room room, long index) {
    BlockCache.Key key = new BlockCache.Key(room.no(), room.epoch(), index);
    List<EncodedBody> kept = cache.get(key);
    if (kept != null) {
      return Uni.createFrom().item(kept);
    }
    long first = index * BLOCK;
    return shared(
            new ReadKey(room.no(), room.epoch(), -1 - index, BLOCK),
            () -> reads.after(room, first, BLOCK))
        .map(bodies -> upTo(bodies, first + BLOCK))
        .invoke(bodies -> keepIfComplete(key, bodies));
  }

  /**
   * A block that was read a moment ago for somebody else may end before what is wanted; then, or if
   * the text is no longer kept, the log is asked once more.
   */
  private Uni<Page> alone(Lane lane, Room room, long after, int limit, long maxBytes) {
    return reads
        .after(room, after, limit)
        .map(messages -> lane.page(cut(encode(messages), after, limit, maxBytes)));
  }

  private Uni<List<EncodedBody>> shared(
      ReadKey key, Supplier<Uni<? extends List<RoomMessage>>> read) {
    return reading.computeIfAbsent(
        key,
        k ->
            Uni.createFrom()
                .deferred(read)
                .map(Pages::encode)
                .onTermination()
                .invoke(() -> reading.remove(k))
                .memoize()
                .indefinitely());
  }

  private void keepIfComplete(BlockCache.Key key, List<EncodedBody> bodies) {
    if (bodies.size() == BLOCK) {
      cache.put(key, bodies);
    }
  }

  private static List<EncodedBody> encode(List<RoomMessage> messages) {
    List<EncodedBody> bodies = new ArrayList<>(messages.size());
    for (RoomMessage message : messages) {
      bodies.add(EncodedMessage.body(message));
    }
    return bodies;
  }

  private static List<EncodedBody> upTo(List<EncodedBody> bodies, long last) {
    int end = bodies.size();
    while (end > 0 && bodies.get(end - 1).seq() > last) {
      end--;
    }
    return List.copyOf(bodies.subList(0, end));
  }

  private static List<EncodedBody> cut(
      List<EncodedBody> bodies, long after, int limit, long maxBytes) {
    List<EncodedBody> page = new ArrayList<>();
    long size = 0;
    for (EncodedBody body : bodies) {
      if (body.seq() <= after) {
        continue;
      }
      size += body.bytes();
      if (page.size() == limit || (size > maxBytes && !page.isEmpty())) {
        break;
      }
      page.add(body);
    }
    return page;
  }

  private static Uni<Page> item(Page page) {
    return Uni.createFrom().item(page);
  }

  /** A block has a negative place, a page before a seq its seq. */
  private record ReadKey(long roomNo, String epoch, long place, int limit) {}
}
