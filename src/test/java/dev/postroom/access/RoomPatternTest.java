package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.Seed;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoomPatternTest {

  @ParameterizedTest
  @CsvSource({
    "case-*, case-1, true",
    "case-*, case-, true",
    "case-*, Case-1, false",
    "case-*, my-case-1, false",
    "*, anything, true",
    "*-eu, shop-eu, true",
    "*-eu, shop-us, false",
    "a*b*c, abc, true",
    "a*b*c, a-b-b-c, true",
    "a*b*c, a-c-b, false",
    "a.c, abc, false",
    "a_c, abc, false",
    "room, room, true",
    "room, rooms, false",
    "**, x, true",
  })
  void matches(String pattern, String room, boolean expected) {
    assertEquals(expected, RoomPattern.matches(pattern, room));
  }

  @Test
  @DisplayName("agrees with the regular expression of the same meaning, over generated names")
  void agreesWithRegularExpressions() {
    long seed = Seed.pick("RoomPatternTest");
    Random random = new Random(seed);
    for (int round = 0; round < 50_000; round++) {
      String pattern = word(random, "ab.*", 6);
      String room = word(random, "ab.", 8);
      boolean expected = Pattern.matches(("\\Q" + pattern + "\\E").replace("*", "\\E.*\\Q"), room);
      assertEquals(
          expected, RoomPattern.matches(pattern, room), pattern + " " + room + " seed " + seed);
    }
  }

  private static String word(Random random, String letters, int longest) {
    StringBuilder word = new StringBuilder();
    int length = random.nextInt(longest + 1);
    for (int i = 0; i < length; i++) {
      word.append(letters.charAt(random.nextInt(letters.length())));
    }
    return word.toString();
  }

  @Test
  @DisplayName("S1: the longest pattern against the longest room is decided at once")
  void worstCaseIsBounded() {
    assertFalse(RoomPattern.matches("*a".repeat(63) + "b", "a".repeat(128)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"case-*", "*", "a.b_c:d-e", "A*9"})
  void validPatterns(String pattern) {
    assertTrue(RoomPattern.isValid(pattern));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a/b", "ä", "%", "a\n"})
  void invalidPatterns(String pattern) {
    assertFalse(RoomPattern.isValid(pattern));
  }

  @Test
  void aPatternHasABound() {
    assertFalse(RoomPattern.isValid("a".repeat(129)));
  }

  @ParameterizedTest
  @CsvSource({"case-*, case-%", "a_b*, a\\_b%", "room, room"})
  void asLike(String pattern, String like) {
    assertEquals(like, RoomPattern.like(pattern));
  }
}
