package dev.postroom;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The metrics table of the operations document names what the code declares, and nothing else. */
class MetricsTableTest {
  private static final Pattern METER = Pattern.compile("\"(postroom\\.[a-z.]+)\"");
  private static final Pattern UNIT = Pattern.compile("_(total|seconds|bytes)$");

  @Test
  @DisplayName("every meter in the code is documented, and every documented one is in the code")
  void tableIsTheCode() throws IOException {
    Set<String> documented =
        DocumentTable.below("## Metrics", Path.of("docs/operations.md")).keySet().stream()
            .map(name -> UNIT.matcher(name).replaceFirst(""))
            .collect(toCollection(TreeSet::new));

    assertEquals(String.join("\n", meters()), String.join("\n", documented));
  }

  /** As Prometheus shows them, without the unit that it adds. */
  private static Set<String> meters() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .map(MetricsTableTest::text)
          .filter(text -> text.contains("import io.micrometer."))
          .flatMap(text -> METER.matcher(text).results())
          .map(meter -> meter.group(1).replace('.', '_'))
          .map(name -> UNIT.matcher(name).replaceFirst(""))
          .collect(toCollection(TreeSet::new));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
