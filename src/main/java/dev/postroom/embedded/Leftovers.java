package dev.postroom.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What a killed process left half-made, and how it goes away. */
final class Leftovers {

  /** How the names of passing files begin. */
  static final String OUTPUT = "output-";

  static final String PROBE = "probe-";
  static final String PASSWORD = "password-";
  static final String SECRETS_KEY = "secrets-";

  private Leftovers() {}

  /** Removes the passing files of processes that were killed. */
  static void removeFiles(Path directory) throws IOException {
    for (String prefix : List.of(OUTPUT, PROBE, PASSWORD, SECRETS_KEY)) {
      remove(directory, prefix);
    }
  }

  /**
   * Removes everything in the directory whose name begins so. What a dying program is still writing
   * to may stay; the next start tries again.
   */
  static void remove(Path directory, String prefix) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, prefix + "*")) {
      for (Path each : found) {
        removeTree(each);
      }
    }
  }

  private static void removeTree(Path tree) {
    List<Path> deepestFirst;
    try (Stream<Path> walk = Files.walk(tree)) {
      deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
    } catch (IOException | UncheckedIOException e) {
      return;
    }
    for (Path each : deepestFirst) {
      try {
        Files.deleteIfExists(each);
      } catch (IOException e) {
        // Still in use; see above.
      }
    }
  }
}
