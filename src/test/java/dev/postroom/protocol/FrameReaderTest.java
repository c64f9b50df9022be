package dev.postroom.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.postroom.protocol.ClientFrame.Position;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FrameReaderTest {

  @Test
  @DisplayName("PR-05 the order of the fields does not matter, the type may come last")
  void typeLast() {
    assertEquals(
        new ClientFrame.Send("r", "k1", "hello", 7L),
        frame(
            "{\"text\":\"hello\",\"ifHead\":7,\"room\":\"r\",\"clientMessageId\":\"k1\","
                + "\"type\":\"send\"}"));
  }

  @Test
  @DisplayName("PR-03 unknown fields of any shape are ignored")
  void unknownFields() {
    assertEquals(
        new ClientFrame.Leave("r"),
        frame(
            "{\"type\":\"leave\",\"x\":{\"type\":\"send\",\"y\":[1,{\"room\":2}]},"
                + "\"room\":\"r\",\"z\":[[[]]],\"n\":1e400,\"long\":"
                + "9".repeat(500)
                + "}"));
  }

  @Test
  @DisplayName("PR-03 a field of another frame is unknown here, whatever its type")
  void fieldOfAnotherFrame() {
    assertEquals(
        new ClientFrame.Ping(),
        frame("{\"type\":\"ping\",\"text\":5,\"cursor\":\"x\",\"limit\":-1,\"room\":[]}"));
  }

  @Test
  @DisplayName("PR-04 null is the same as absent for an optional field")
  void nullIsAbsent() {
    assertEquals(
        new ClientFrame.Join("r", null),
        frame("{\"type\":\"join\",\"room\":\"r\",\"cursor\":null}"));
    assertEquals(
        new ClientFrame.Send("r", "k", "t", null),
        frame(
            "{\"type\":\"send\",\"room\":\"r\",\"clientMessageId\":\"k\",\"text\":\"t\","
                + "\"ifHead\":null}"));
    assertEquals(
        new ClientFrame.History("r", 5, null),
        frame("{\"type\":\"history\",\"room\":\"r\",\"before\":5,\"limit\":null}"));
  }

  @Test
  @DisplayName("PR-06 integers reach to 2^53 - 1")
  void largestInteger() {
    assertEquals(
        new ClientFrame.Join("r", new Position("e", 9007199254740991L)),
        frame(
            "{\"type\":\"join\",\"room\":\"r\","
                + "\"cursor\":{\"epoch\":\"e\",\"after\":9007199254740991}}"));
  }

  @Test
  @DisplayName("PR-06 a limit that no int holds is as good as the largest")
  void largeLimit() {
    assertEquals(
        new ClientFrame.History("r", 0, Integer.MAX_VALUE),
        frame("{\"type\":\"history\",\"room\":\"r\",\"before\":0,\"limit\":9007199254740991}"));
  }

  @Test
  @DisplayName("A7 text reaches the rules unchanged: U+0000, half a pair, any Unicode")
  void textUnchanged() {
    String text = "a\u0000b\ud800c\u2028\u200f\r\n\t\"\\/ \ud83d\udc69\u200d\ud83d\udc67 e\u0301";
    StringBuilder escaped = new StringBuilder();
    text.chars().forEach(c -> escaped.append(String.format("\\u%04x", c)));
    assertEquals(
        new ClientFrame.Send("r", "k", text, null),
        frame(
            "{\"type\":\"send\",\"room\":\"r\",\"clientMessageId\":\"k\",\"text\":\""
                + escaped
                + "\"}"));
  }

  private static ClientFrame frame(String text) {
    return assertInstanceOf(Decoded.Frame.class, FrameCodec.decode(text)).frame();
  }
}
