package dev.postroom.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UnreadTest {
  private final Unread unread = new Unread();
  private final List<Integer> handled = new ArrayList<>();

  @Test
  @DisplayName("PR-12: frames that wait are handled in the order in which they came")
  void inOrder() {
    for (int i = 0; i < 3; i++) {
      int number = i;
      assertTrue(unread.add(10, () -> handled.add(number)));
    }
    while (!unread.isEmpty()) {
      Objects.requireNonNull(unread.next()).run();
    }
    assertEquals(List.of(0, 1, 2), handled);
    assertNull(unread.next());
  }

  @Test
  @DisplayName("S1: frames without a text count, too; what is taken out makes room")
  void bound() {
    int empty = 0;
    while (unread.add(0, () -> {})) {
      empty++;
    }
    assertTrue(empty <= Unread.MOST_BYTES / 100, empty + " frames");
    assertFalse(unread.add(0, () -> {}));
    unread.next();
    assertTrue(unread.add(0, () -> {}));
    unread.clear();
    assertTrue(unread.add((int) Unread.MOST_BYTES / 2, () -> {}));
    assertFalse(unread.add((int) Unread.MOST_BYTES / 2, () -> {}));
  }
}
