package dev.postroom.faults;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The fault mode while it is on: asked at every occasion whether something goes wrong now, by
 * chance or because it was ordered. Safe for any thread.
 */
public final class Storm {
  private static final int MOST_ORDERS = 1_000;

  private final Weather weather;
  private final Dice dice;
  private final Runnable epochs;
  private final Set<Order> orders = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> frozenUntil = new ConcurrentHashMap<>();
  private final AtomicLongArray happened = new AtomicLongArray(Fault.values().length);

  /**
   * @param epochs begins a new epoch, soon
   */
  Storm(Weather weather, Runnable epochs) {
    this.weather = weather;
    this.dice = new Dice(weather.seed());
    this.epochs = epochs;
  }

  public Weather weather() {
    return weather;
  }

  /** Whether it goes wrong this time. */
  public boolean strikes(Fault fault, String participant) {
    return strength(fault, participant) > 0;
  }

  /** Whether it goes wrong this time: 0 if not, otherwise how hard, up to 1. */
  public double strength(Fault fault, String participant) {
    double proportion = weather.proportion(fault);
    double strength = 0;
    if (proportion > 0) {
      strength = Math.max(0, 1 - dice.next(fault, participant) / proportion);
    }
    if (!orders.isEmpty() && orders.remove(new Order(fault, participant))) {
      strength = 1;
    }
    if (strength > 0) {
      happened.incrementAndGet(fault.ordinal());
    }
    return strength;
  }

  /** Begins a new epoch in every room, soon; at most once a second. */
  public void moveEpoch() {
    epochs.run();
  }

  /** How late an ack is that is struck so hard, in milliseconds. */
  public long delayMs(double strength) {
    return Math.max(1, Math.round(strength * weather.delayMs()));
  }

  /** For how many more milliseconds this participant's network is frozen. */
  public long frozenMs(String participant) {
    Long until = frozenUntil.get(participant);
    return until == null
        ? 0
        : Math.max(0, TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime()));
  }

  /** How often each of them has happened. */
  public Map<Fault, Long> happened() {
    Map<Fault, Long> counts = new EnumMap<>(Fault.class);
    for (Fault fault : Fault.values()) {
      counts.put(fault, happened.get(fault.ordinal()));
    }
    return counts;
  }

  void order(Fault fault, String participant) {
    bound(orders.size());
    orders.add(new Order(fault, participant));
  }

  void freeze(String participant, long ms) {
    frozenUntil.values().removeIf(until -> until - System.nanoTime() < 0);
    bound(frozenUntil.size());
    frozenUntil.put(participant, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms));
  }

  private static void bound(int size) {
    if (size >= MOST_ORDERS) {
      throw new IllegalArgumentException(
          "drill must wait: " + MOST_ORDERS + " orders have not been met yet.");
    }
  }

  private record Order(Fault fault, String participant) {}
}
