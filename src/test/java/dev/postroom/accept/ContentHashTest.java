package dev.postroom.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ContentHashTest {

  @Test
  @DisplayName("A3: rule 1 is fixed for ever, because its hashes are stored")
  void ruleOne() {
    assertEquals(
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        HexFormat.of().formatHex(ContentHash.of("hello")));
  }

  @Test
  @DisplayName("ACC-09: composed and decomposed are different contents")
  void noNormalisation() {
    assertFalse(ContentHash.matches(1, ContentHash.of("\u00e9"), "e\u0301"));
    assertTrue(ContentHash.matches(1, ContentHash.of("\u00e9"), "\u00e9"));
  }

  @Test
  void aRuleOfTheFutureIsNotGuessed() {
    assertThrows(
        IllegalStateException.class, () -> ContentHash.matches(2, ContentHash.of("x"), "x"));
  }
}
