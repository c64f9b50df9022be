package dev.postroom.access;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParticipantsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "anna@example.com",
        "auth0|5f",
        "Zoë Müller",
        "用户",
        "a/b",
        "...",
        ".a",
        "😀",
        "é"
      })
  void printable(String id) {
    assertTrue(Participants.isValid(id));
  }

  @ParameterizedTest
  @DisplayName("A7: what the database would refuse, or a reader could not see, is no id")
  @ValueSource(
      strings = {
        "",
        " ",
        " a",
        "a ",
        "a\u0000b",
        "a\nb",
        "\u007f",
        "\ud800",
        "a\u202eb",
        "a\u200bb",
        "\u2028",
        "\ue000",
        ".",
        ".."
      })
  void notPrintable(String id) {
    assertFalse(Participants.isValid(id));
  }

  @Test
  @DisplayName("TXT-05: the length counts characters as PostgreSQL counts them")
  void lengthCountsCodePoints() {
    assertTrue(Participants.isValid("😀".repeat(128)));
    assertFalse(Participants.isValid("a".repeat(129)));
  }
}
