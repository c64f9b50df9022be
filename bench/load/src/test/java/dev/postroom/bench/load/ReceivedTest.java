package dev.postroom.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.bench.load.Received.Verdict;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ReceivedTest {
  private final Received received = new Received();

  @Test
  void numbersWithHolesThatAscendAreGood() {
    received.take(3, 0, 0);

    assertEquals(Verdict.GOOD, received.take(7, 0, 1));
  }

  @Test
  void theSameCommandTwiceIsARepeatWhateverItsNumber() {
    received.take(1, 0, 5);

    assertEquals(Verdict.REPEATED, received.take(2, 0, 5));
  }

  @Test
  void aNumberBelowTheLastIsOutOfOrder() {
    received.take(2, 0, 0);

    assertEquals(Verdict.OUT_OF_ORDER, received.take(1, 0, 1));
  }

  @Test
  void afterOneOutOfOrderTheGreatestNumberStillCounts() {
    received.take(5, 0, 0);
    received.take(1, 0, 1);

    assertEquals(Verdict.OUT_OF_ORDER, received.take(4, 0, 2));
  }

  @Test
  void withoutNumbersTheOrderOfEachSenderCounts() {
    received.take(-1, 1, 4);
    received.take(-1, 2, 2);

    assertEquals(Verdict.OUT_OF_ORDER, received.take(-1, 1, 3));
  }

  @Test
  void withoutNumbersSendersMayOvertakeEachOther() {
    received.take(-1, 1, 4);

    assertEquals(Verdict.GOOD, received.take(-1, 2, 2));
  }

  @Test
  void missingIsWhatWasAcceptedAndNeverCame() {
    BitSet accepted = new BitSet();
    accepted.set(0, 10);
    received.take(1, 0, 3);
    received.take(2, 0, 7);
    received.take(3, 0, 12);

    assertEquals(8, received.missing(accepted));
  }
}
