package dev.postroom.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postroom.testkit.BadFrames;
import dev.postroom.testkit.Seed;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FrameFuzzTest {
  private static final int FRAMES = 100_000;

  @Test
  @DisplayName("FAN-06 S2 100,000 generated bad frames: each is answered, none throws")
  void everyFrameIsAnswered() throws Exception {
    long seed = Seed.pick("FrameFuzzTest");
    BadFrames frames = new BadFrames(seed);
    ObjectMapper json = new ObjectMapper();
    int malformed = 0;
    for (int i = 0; i < FRAMES; i++) {
      String text = frames.next();
      String where = "seed " + seed + ", frame " + i + ": " + text;
      Decoded decoded;
      try {
        decoded = FrameCodec.decode(text);
      } catch (Throwable e) {
        throw new AssertionError(where, e);
      }
      if (decoded instanceof Decoded.Malformed bad) {
        malformed++;
        JsonNode answer = json.readTree(FrameCodec.encode(answer(bad)));
        assertEquals("error", answer.get("type").textValue(), where);
        assertTrue(bad.message().length() < 200, where);
      } else {
        assertNotNull(((Decoded.Frame) decoded).frame(), where);
      }
    }
    assertTrue(malformed > FRAMES / 2, "most are bad, seed " + seed + ": " + malformed);
    assertTrue(malformed < FRAMES, "some are only odd, seed " + seed);
  }

  @Test
  @DisplayName("FAN-06 the same seed gives the same frames")
  void repeatable() {
    BadFrames one = new BadFrames(7);
    BadFrames other = new BadFrames(7);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(one.next(), other.next());
    }
  }

  private static ServerFrame.Error answer(Decoded.Malformed bad) {
    return new ServerFrame.Error(
        bad.code(),
        bad.message(),
        bad.room(),
        bad.clientMessageId(),
        null,
        null,
        null,
        null,
        bad.field());
  }
}
