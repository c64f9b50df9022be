package dev.postroom.fanout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.EncodedBody;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("S1: a frame of many messages has a bound in bytes")
class PageTest {
  private static final Page TEN = page(10);

  @Test
  void whatFitsStays() {
    assertEquals(TEN, TEN.newestWithin(1_000));
    assertFalse(TEN.newestWithin(1_000).earlier());
  }

  @Test
  void theNewestStayAndEarlierOnesAreAnnounced() {
    Page cut = TEN.newestWithin(350);
    assertEquals(List.of(8L, 9L, 10L), seqs(cut));
    assertTrue(cut.earlier());
    assertEquals(10, cut.after(0));
  }

  @Test
  void aSingleLongMessageStillFits() {
    assertEquals(List.of(10L), seqs(TEN.newestWithin(1)));
  }

  @Test
  void emptyStaysEmpty() {
    assertEquals(page(0), page(0).newestWithin(1));
  }

  private static Page page(int count) {
    return new Page(
        "e1",
        LongStream.rangeClosed(1, count).mapToObj(seq -> new EncodedBody(seq, "{}", 100)).toList(),
        count,
        1);
  }

  private static List<Long> seqs(Page page) {
    return page.messages().stream().map(EncodedBody::seq).toList();
  }
}
