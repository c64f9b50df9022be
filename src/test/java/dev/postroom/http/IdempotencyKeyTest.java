package dev.postroom.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.postroom.testkit.Seed;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "abc | abc",
        "8e03978e-40d5-43e8-bc93-6894a57f9324 | 8e03978e-40d5-43e8-bc93-6894a57f9324",
        "\"abc\" | abc",
        "\"a b, c\" | a b, c",
        "\"a\\\"b\\\\c\" | a\"b\\c",
        "a b | a b",
        "a;b=c | a;b=c",
        "' \"abc\" ' | abc",
      })
  void taken(String value, String id) {
    assertEquals(id, IdempotencyKey.parse(List.of(value)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\"",
        "\"\"",
        "\"abc",
        "abc\"",
        "\"abc\"x",
        "\"abc\";a=1",
        "\"abc\", \"def\"",
        "abc, def",
        "\"a\\bc\"",
        "\"abc\\",
        "\"abc\\\""
      })
  void refused(String value) {
    Refusal refusal = assertThrows(Refusal.class, () -> IdempotencyKey.parse(List.of(value)));
    assertEquals("Idempotency-Key", refusal.problem().field());
    assertEquals(400, refusal.problem().status());
  }

  @Test
  void exactlyOne() {
    assertThrows(Refusal.class, () -> IdempotencyKey.parse(null));
    assertThrows(Refusal.class, () -> IdempotencyKey.parse(List.of()));
    assertThrows(Refusal.class, () -> IdempotencyKey.parse(List.of("a", "a")));
  }

  @Test
  @DisplayName("whatever printable id is quoted comes back, and nothing breaks the parser")
  void generated() {
    Random random = new Random(Seed.pick("IdempotencyKeyTest"));
    for (int round = 0; round < 20_000; round++) {
      StringBuilder id = new StringBuilder();
      int length = 1 + random.nextInt(20);
      for (int i = 0; i < length; i++) {
        id.append((char) (0x20 + random.nextInt(0x5f)));
      }
      String quoted = "\"" + id.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
      assertEquals(id.toString(), IdempotencyKey.parse(List.of(quoted)));
      try {
        IdempotencyKey.parse(List.of(id.toString()));
      } catch (Refusal refused) {
        assertEquals(400, refused.problem().status());
      }
    }
  }
}
