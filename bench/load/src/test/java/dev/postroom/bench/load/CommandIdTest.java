package dev.postroom.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CommandIdTest {
  private final String text = CommandId.text(CommandId.of(17, 345), 123_456_789L, 100);

  @Test
  void theTextHasTheWantedLength() {
    assertEquals(100, text.length());
  }

  @Test
  void theTextSaysWhoWhatAndWhen() {
    assertEquals(17, CommandId.sender(text));
    assertEquals(345, CommandId.command(text));
    assertEquals(123_456_789L, CommandId.stampNanos(text));
  }

  @Test
  void anotherTextIsNoCommand() {
    assertEquals(CommandId.NONE, CommandId.command("good morning"));
  }
}
