package dev.postroom.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StormTest {

  private static Storm storm(long seed, double proportion) {
    Map<Fault, Double> all = new EnumMap<>(Fault.class);
    for (Fault fault : Fault.values()) {
      all.put(fault, proportion);
    }
    return new Storm(new Weather(seed, 500, all), () -> {});
  }

  private static List<Double> strikes(Storm storm, Fault fault, String participant) {
    List<Double> strikes = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      strikes.add(storm.strength(fault, participant));
    }
    return strikes;
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  @DisplayName("the same seed is the same weather for everybody, whatever befalls others meanwhile")
  void seeded(Fault fault) {
    List<Double> alone = strikes(storm(7, 0.2), fault, "ann");
    Storm shared = storm(7, 0.2);
    List<Double> amongOthers = new ArrayList<>();
    for (int i = 0; i < alone.size(); i++) {
      shared.strikes(fault, "bob");
      amongOthers.add(shared.strength(fault, "ann"));
      for (Fault other : Fault.values()) {
        if (other != fault) {
          shared.strikes(other, "ann");
        }
      }
    }
    assertEquals(alone, amongOthers);
    assertNotEquals(alone, strikes(storm(8, 0.2), fault, "ann"));
    assertNotEquals(alone, strikes(storm(7, 0.2), fault, "bob"));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  @DisplayName("a proportion is one, and its strength is spread over all that there is")
  void proportions(Fault fault) {
    Storm storm = storm(7, 0.2);
    List<Double> struck =
        strikes(storm, fault, "ann").stream().filter(strength -> strength > 0).toList();
    assertTrue(struck.size() > 320 && struck.size() < 480, "struck: " + struck.size());
    assertEquals(struck.size(), storm.happened().get(fault));
    long hard = struck.stream().filter(strength -> strength > 0.5).count();
    assertTrue(hard > struck.size() / 3 && hard < 2L * struck.size() / 3, "hard: " + hard);
    assertTrue(struck.stream().allMatch(strength -> strength <= 1));
    assertFalse(strikes(storm(7, 1), fault, "ann").contains(0.0));
  }

  @Test
  void calmWeatherStrikesNobody() {
    Storm calm = new Storm(Weather.calm(0), () -> {});
    assertFalse(calm.strikes(Fault.CUT_SOCKET, "ann"));
    assertEquals(0, calm.happened().get(Fault.CUT_SOCKET));
  }

  @Test
  @DisplayName("an order is met once, by whom it was meant for, and as hard as can be")
  void orders() {
    Storm calm = new Storm(Weather.calm(0), () -> {});
    calm.order(Fault.DROP_ACK, "ann");
    assertFalse(calm.strikes(Fault.DROP_ACK, "bob"));
    assertFalse(calm.strikes(Fault.REFUSE, "ann"));
    assertEquals(1, calm.strength(Fault.DROP_ACK, "ann"));
    assertFalse(calm.strikes(Fault.DROP_ACK, "ann"));
  }

  @Test
  @DisplayName("S1: orders that nobody meets have a bound")
  void bounded() {
    Storm calm = new Storm(Weather.calm(0), () -> {});
    for (int i = 0; i < 1_000; i++) {
      calm.order(Fault.DROP_ACK, "p" + i);
    }
    var full =
        assertThrows(IllegalArgumentException.class, () -> calm.order(Fault.DROP_ACK, "one more"));
    assertTrue(full.getMessage().startsWith("drill "), full.getMessage());
    assertTrue(calm.strikes(Fault.DROP_ACK, "p7"));
    calm.order(Fault.DROP_ACK, "one more");
  }

  @Test
  void frozen() {
    Storm calm = new Storm(Weather.calm(0), () -> {});
    assertEquals(0, calm.frozenMs("ann"));
    calm.freeze("ann", 30_000);
    assertTrue(calm.frozenMs("ann") > 0);
    assertEquals(0, calm.frozenMs("bob"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY})
  void noProportion(double value) {
    var wrong =
        assertThrows(
            IllegalArgumentException.class, () -> new Weather(1, 500, Map.of(Fault.REFUSE, value)));
    assertTrue(wrong.getMessage().startsWith("refuse "), wrong.getMessage());
  }
}
