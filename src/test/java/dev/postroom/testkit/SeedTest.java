package dev.postroom.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SeedTest {

  /** A chance nobody can give back, and a seed from elsewhere. */
  private static final Pattern OF_ITS_OWN =
      Pattern.compile("new Random\\(\\)|\\b(?i:seed) = (?!Seed\\.pick|seed;)");

  @Test
  @DisplayName("-Dpostroom.seed repeats every generated test")
  void everySeedIsPicked() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
      List<Path> without =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("Seed.java") && !file.endsWith("SeedTest.java"))
              .filter(SeedTest::hasChanceOfItsOwn)
              .sorted()
              .toList();
      assertEquals(List.of(), without);
    }
  }

  private static boolean hasChanceOfItsOwn(Path file) {
    try {
      return OF_ITS_OWN.matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
