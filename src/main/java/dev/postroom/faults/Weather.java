package dev.postroom.faults;

import java.util.EnumMap;
import java.util.Map;

/**
 * What is to go wrong, and how often; pure.
 *
 * @param seed of all chance
 * @param delayMs the longest delay of an ack
 * @param proportions 0 (never, and where left out) to 1 (always), of the occasions that there are
 */
public record Weather(long seed, long delayMs, Map<Fault, Double> proportions) {

  public static final long DELAY_MS = 500;
  public static final long LONGEST_DELAY_MS = 10_000;

  /**
   * @throws IllegalArgumentException if a value is out of its range; the first word of the message
   *     is the field
   */
  public Weather {
    if (delayMs < 1 || delayMs > LONGEST_DELAY_MS) {
      throw new IllegalArgumentException(
          "delayMs must be from 1 to " + LONGEST_DELAY_MS + " milliseconds.");
    }
    proportions.forEach(
        (fault, proportion) -> {
          if (!(proportion >= 0 && proportion <= 1)) {
            throw new IllegalArgumentException(
                fault.field() + " must be a proportion, from 0 to 1.");
          }
        });
    proportions = Map.copyOf(proportions);
  }

  public static Weather calm(long seed) {
    return new Weather(seed, DELAY_MS, new EnumMap<>(Fault.class));
  }

  public double proportion(Fault fault) {
    return proportions.getOrDefault(fault, 0.0);
  }
}
