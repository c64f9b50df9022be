package dev.postroom.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The frames in {@code src/test/resources/golden}, which the JavaScript tests read as well. */
public final class Goldens {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  private Goldens() {}

  /**
   * File name without {@code .json} to the frame's text.
   *
   * @param prefix {@code client-} or {@code server-}
   */
  public static Map<String, String> all(String prefix) {
    Map<String, String> frames = new TreeMap<>();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith(prefix)) {
          frames.put(name.replace(".json", ""), Files.readString(file).stripTrailing());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return frames;
  }
}
