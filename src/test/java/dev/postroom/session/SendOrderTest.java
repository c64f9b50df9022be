package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("N2, ORD-03: a later command does not overtake one that must be repeated")
class SendOrderTest {
  private static final long HOLD = 10_000_000_000L;
  private final SendOrder order = new SendOrder(HOLD);

  @Test
  void laterCommandsWaitForTheRepeat() {
    order.refused("r", "a", 0, 0);
    assertFalse(order.admits("r", "b", 1));
    assertFalse(order.admits("r", "c", 2));
    assertTrue(order.admits("r", "a", 3));
    assertTrue(order.admits("r", "b", 4));
  }

  @Test
  void onlyTheFirstRefusalIsWaitedFor() {
    order.refused("r", "a", 0, 0);
    order.refused("r", "b", 0, 0);
    assertFalse(order.admits("r", "b", 1));
    assertTrue(order.admits("r", "a", 2));
    assertTrue(order.admits("r", "b", 3));
  }

  @Test
  void otherRoomsGoOn() {
    order.refused("r", "a", 0, 0);
    assertTrue(order.admits("s", "b", 1));
  }

  @Test
  void aCommandThatIsGivenUpIsNotWaitedForForEver() {
    order.refused("r", "a", 500, 0);
    assertFalse(order.admits("r", "b", HOLD + 499_999_999L));
    assertTrue(order.admits("r", "b", HOLD + 500_000_000L));
  }

  @Test
  void leavingForgets() {
    order.refused("r", "a", 0, 0);
    order.forget("r");
    assertTrue(order.admits("r", "b", 1));
  }
}
