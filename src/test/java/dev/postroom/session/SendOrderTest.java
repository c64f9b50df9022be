package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("N2, ORD-03: a later command does not overtake one that must be repeated")
class SendOrderTest {
  private static final long HOLD = 10_000_000_000L;
  private final SendOrder order = new SendOrder(HOLD, 2);

  @Test
  void laterCommandsWaitForTheRepeat() {
    order.refused("r", "a", 1, 0, 0);
    assertFalse(order.admits("r", "b", 2, 1));
    assertFalse(order.admits("r", "c", 3, 2));
    assertTrue(order.admits("r", "a", 4, 3));
    assertTrue(order.admits("r", "b", 5, 4));
  }

  @Test
  void onlyTheFirstRefusalIsWaitedFor() {
    order.refused("r", "a", 1, 0, 0);
    order.refused("r", "b", 2, 0, 0);
    assertFalse(order.admits("r", "b", 6, 1));
    assertTrue(order.admits("r", "a", 7, 2));
    assertTrue(order.admits("r", "b", 8, 3));
  }

  @Test
  void otherRoomsGoOn() {
    order.refused("r", "a", 1, 0, 0);
    assertTrue(order.admits("s", "b", 9, 1));
  }

  @Test
  void aCommandThatIsGivenUpIsNotWaitedForForEver() {
    order.refused("r", "a", 1, 500, 0);
    assertFalse(order.admits("r", "b", 10, HOLD + 499_999_999L));
    assertTrue(order.admits("r", "b", 11, HOLD + 500_000_000L));
  }

  @Test
  void leavingForgets() {
    order.refused("r", "a", 1, 0, 0);
    order.forget("r");
    assertTrue(order.admits("r", "b", 12, 1));
  }

  @Test
  @DisplayName("A full window is answered at once: what stands before the refused one goes on")
  void earlierCommandsAreNotHeldUp() {
    order.refused("r", "c", 2, 0, 0);
    assertTrue(order.admits("r", "a", 1, 1));
    assertTrue(order.admits("r", "b", 2, 2));
    assertFalse(order.admits("r", "d", 3, 3));
    assertTrue(order.admits("r", "c", 4, 4));
    assertTrue(order.admits("r", "d", 5, 5));
  }

  @Test
  @DisplayName("The earliest refusal counts, whichever is told first")
  void theEarliestRefusalCounts() {
    order.refused("r", "c", 3, 0, 0);
    order.refused("r", "a", 1, 0, 1);
    assertFalse(order.admits("r", "b", 2, 2));
    assertFalse(order.admits("r", "c", 4, 3));
    assertTrue(order.admits("r", "a", 5, 4));
    assertTrue(order.admits("r", "b", 6, 5));
  }

  @Test
  @DisplayName("S1: no more rooms are remembered than a socket may join")
  void remembersABoundedNumberOfRooms() {
    order.refused("r", "a", 1, 0, 0);
    order.refused("s", "a", 2, 0, 0);
    order.refused("t", "a", 3, 0, 0);
    assertTrue(order.admits("t", "b", 4, 1));
    assertFalse(order.admits("s", "b", 5, 1));
    order.refused("t", "a", 6, 0, HOLD);
    assertFalse(order.admits("t", "b", 7, HOLD));
  }
}
