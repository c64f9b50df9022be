package dev.postroom.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class FrameTest {
  private static final String ACK = "{\"type\":\"ack\",\"clientMessageId\":\"3-14\",\"seq\":159}";

  @Test
  void findsAString() {
    assertEquals("3-14", Frame.string(ACK, "\"clientMessageId\":\"", 0));
  }

  @Test
  void findsANumber() {
    assertEquals(159, Frame.number(ACK, "\"seq\":", 0));
  }

  @Test
  void saysWhatIsNotThere() {
    assertNull(Frame.string(ACK, "\"text\":\"", 0));
    assertEquals(-1, Frame.number(ACK, "\"head\":", 0));
  }
}
