package dev.postroom.outbox;

import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sinks that stand for the outside world: one for every target, with an inbox that refuses what it
 * has applied and notes what comes out of order. Safe for any thread.
 */
final class Receivers implements SinkType {
  private final Map<String, Receiver> receivers = new ConcurrentHashMap<>();

  Receiver of(String target) {
    return receivers.computeIfAbsent(target, Receiver::new);
  }

  @Override
  public String name() {
    return "test";
  }

  @Override
  public @Nullable String wrong(String target) {
    return null;
  }

  @Override
  public Sink open(SinkRow settings) {
    Receiver receiver = of(settings.target());
    return new Sink() {
      @Override
      public Uni<DeliveryResult> deliver(RoomEvent event) {
        return receiver.deliver(event);
      }

      @Override
      public void close() {}
    };
  }

  /** One receiver. By default it takes everything at once. */
  static final class Receiver {
    private final String name;
    private final Map<String, List<RoomEvent>> applied = new HashMap<>();
    private final Map<String, Long> lastSeq = new HashMap<>();
    private final List<String> disorder = new ArrayList<>();
    private final Set<String> holes = new HashSet<>();
    private final List<RoomEvent> late = new ArrayList<>();
    private int repeats;
    private int calls;
    private volatile Function<RoomEvent, Uni<DeliveryResult>> behaviour = event -> delivered();

    Receiver(String name) {
      this.name = name;
    }

    static Uni<DeliveryResult> delivered() {
      return Uni.createFrom().item(new DeliveryResult.Delivered());
    }

    static Uni<DeliveryResult> answer(DeliveryResult result) {
      return Uni.createFrom().item(result);
    }

    /** What it answers; a positive answer is applied when it is given. */
    void behave(Function<RoomEvent, Uni<DeliveryResult>> behaviour) {
      this.behaviour = behaviour;
    }

    Uni<DeliveryResult> deliver(RoomEvent event) {
      synchronized (this) {
        calls++;
      }
      return behaviour
          .apply(event)
          .invoke(
              result -> {
                if (result instanceof DeliveryResult.Delivered) {
                  apply(event);
                }
              });
    }

    synchronized void apply(RoomEvent event) {
      String room = event.room().value() + ":" + event.epoch();
      long last = lastSeq.getOrDefault(room, 0L);
      if (event.seq() <= last) {
        if (event instanceof RoomEvent.Accepted accepted
            && accepted.late()
            && holes.remove(room + ":" + event.seq())) {
          late.add(event);
        } else {
          repeats++;
        }
        return;
      }
      if (event.seq() != last + 1 && lastSeq.containsKey(room)) {
        disorder.add(name + " " + room + ": " + event.seq() + " after " + last);
      }
      lastSeq.put(room, event.seq());
      if (event instanceof RoomEvent.Gap) {
        holes.add(room + ":" + event.seq());
      }
      applied.computeIfAbsent(event.room().value(), r -> new ArrayList<>()).add(event);
    }

    synchronized List<RoomEvent> applied(String room) {
      return List.copyOf(applied.getOrDefault(room, List.of()));
    }

    synchronized List<Long> numbers(String room) {
      return applied(room).stream().map(RoomEvent::seq).toList();
    }

    synchronized int count() {
      return applied.values().stream().mapToInt(List::size).sum();
    }

    synchronized List<RoomEvent> late() {
      return List.copyOf(late);
    }

    synchronized List<String> disorder() {
      return List.copyOf(disorder);
    }

    synchronized int repeats() {
      return repeats;
    }

    synchronized int calls() {
      return calls;
    }
  }
}
