package dev.postroom.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReactiveUrlTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "postgresql://db/rooms | jdbc:postgresql://db:5432/rooms",
        "postgres://db:6000/rooms | jdbc:postgresql://db:6000/rooms",
        "vertx-reactive:postgresql://db:6000/rooms | jdbc:postgresql://db:6000/rooms",
        "postgresql://[::1]:6000/rooms | jdbc:postgresql://[::1]:6000/rooms",
        "postgresql://db/my%20rooms | jdbc:postgresql://db:5432/my%20rooms",
        "postgresql://db/r?sslmode=require | jdbc:postgresql://db:5432/r?sslmode=require",
        "postgresql://db/r?x=1&sslmode=disable | jdbc:postgresql://db:5432/r?sslmode=disable",
        "postgresql://ada:p%40ss+1@db/r | jdbc:postgresql://db:5432/r?password=p%40ss%2B1&user=ada",
        "postgresql://db/r?user=ada&password=x | jdbc:postgresql://db:5432/r?password=x&user=ada",
        "postgresql://a/r, postgresql://b:6/r | jdbc:postgresql://a:5432,b:6/r?targetServerType=primary",
      })
  void becomesAJdbcAddress(String reactive, String jdbc) {
    assertEquals(jdbc, ReactiveUrl.parse(reactive).jdbc());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "db",
        "mysql://db/r",
        "jdbc:postgresql://db/r",
        "postgresql:/db/r",
        "postgresql://",
        "postgresql:// x/r",
        "postgresql://db/r,,",
        "postgresql://user:secret@/r"
      })
  void isRefusedWithoutRepeatingIt(String text) {
    StartRefused refused = assertThrows(StartRefused.class, () -> ReactiveUrl.parse(text));
    assertFalse(refused.getMessage().contains("secret"));
  }

  @Test
  void isShownWithoutItsPassword() {
    assertEquals("db:5432/r", ReactiveUrl.parse("postgresql://a:secret@db/r?x=y").toString());
  }
}
