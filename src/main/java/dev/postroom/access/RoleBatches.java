package dev.postroom.access;

import dev.postroom.room.RoomId;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks memberships up together when many ask at once: one query at a time, each for at most
 * {@value #MOST} members; whoever asks meanwhile goes into a later one.
 *
 * <p>Guarantees: an answer is read after it was asked for; the same member asked for again while it
 * waits is one question, so what waits is bounded by those there are to ask about. A query that
 * fails fails all who wait: they ask again. Safe for any thread.
 */
final class RoleBatches {
  static final int MOST = 500;

  private final Function<Set<Asked>, Uni<Map<Asked, Role>>> query;
  private final Map<Asked, List<UniEmitter<? super @Nullable Role>>> waiting =
      new LinkedHashMap<>();
  private boolean running;

  RoleBatches(Function<Set<Asked>, Uni<Map<Asked, Role>>> query) {
    this.query = query;
  }

  /** Null if the participant is no member, or there is no such room. */
  Uni<@Nullable Role> role(RoomId room, String participant) {
    return Uni.createFrom().emitter(emitter -> ask(new Asked(room, participant), emitter));
  }

  private void ask(Asked asked, UniEmitter<? super @Nullable Role> emitter) {
    synchronized (waiting) {
      waiting.computeIfAbsent(asked, first -> new ArrayList<>(1)).add(emitter);
      if (running) {
        return;
      }
      running = true;
    }
    next();
  }

  private void next() {
    Map<Asked, List<UniEmitter<? super @Nullable Role>>> batch = nextBatch();
    if (batch.isEmpty()) {
      return;
    }
    query
        .apply(batch.keySet())
        .subscribe()
        .with(
            roles -> {
              batch.forEach(
                  (asked, askers) -> askers.forEach(asker -> asker.complete(roles.get(asked))));
              next();
            },
            failure -> {
              fail(batch, failure);
              fail(allWaiting(), failure);
            });
  }

  private static void fail(
      Map<Asked, List<UniEmitter<? super @Nullable Role>>> batch, Throwable failure) {
    batch.values().forEach(askers -> askers.forEach(asker -> asker.fail(failure)));
  }

  private Map<Asked, List<UniEmitter<? super @Nullable Role>>> nextBatch() {
    Map<Asked, List<UniEmitter<? super @Nullable Role>>> batch = new HashMap<>();
    synchronized (waiting) {
      var first = waiting.entrySet().iterator();
      while (first.hasNext() && batch.size() < MOST) {
        var entry = first.next();
        batch.put(entry.getKey(), entry.getValue());
        first.remove();
      }
      running = !batch.isEmpty();
    }
    return batch;
  }

  private Map<Asked, List<UniEmitter<? super @Nullable Role>>> allWaiting() {
    synchronized (waiting) {
      Map<Asked, List<UniEmitter<? super @Nullable Role>>> all = new HashMap<>(waiting);
      waiting.clear();
      running = false;
      return all;
    }
  }

  /** One participant in one room. */
  record Asked(RoomId room, String participant) {}
}
