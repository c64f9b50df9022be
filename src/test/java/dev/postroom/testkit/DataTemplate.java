package dev.postroom.testkit;

import dev.postroom.embedded.EmbeddedDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A data directory made once per build and copied for every test that wants one, so that a test
 * waits for neither the unpacking nor initdb.
 */
public final class DataTemplate {

  private static final Path WORK = Path.of("target", "testkit").toAbsolutePath();
  private static final Path TEMPLATE = WORK.resolve("template");

  private static final String PROGRAMS = "postgresql-";

  private DataTemplate() {}

  /** A new data directory below target/testkit, with binaries and an empty cluster in it. */
  public static Path copy() {
    try {
      make();
      Path copy = Files.createTempDirectory(WORK, "data-");
      copyTree(TEMPLATE, copy);
      return copy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void make() throws IOException {
    // Interned, because a Quarkus test sees this class through several loaders.
    synchronized (TEMPLATE.toString().intern()) {
      if (Files.exists(TEMPLATE)) {
        return;
      }
      Files.createDirectories(WORK);
      Path passing = Files.createTempDirectory(WORK, "making-");
      EmbeddedDatabase.start(passing).close();
      Files.move(passing, TEMPLATE, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Keeps permissions; PostgreSQL insists on them. */
  public static void copyTree(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(directory));
            if (!target.equals(to)) {
              Files.copy(directory, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(file));
            if (from.relativize(file).toString().startsWith(PROGRAMS)
                && !attributes.isSymbolicLink()) {
              // Nobody writes to them; a link spares the copying.
              Files.createLink(target, file);
            } else {
              Files.copy(
                  file, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** The directory of the unpacked server in a data directory. */
  static Path programs(Path data) throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(data, PROGRAMS + "*")) {
      return found.iterator().next();
    }
  }

  /** Removes a copy; what a dying server still holds stays below target. */
  public static void remove(Path directory) {
    List<Path> deepestFirst;
    try (Stream<Path> walk = Files.walk(directory)) {
      deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
    } catch (IOException | UncheckedIOException e) {
      return;
    }
    for (Path each : deepestFirst) {
      try {
        Files.deleteIfExists(each);
      } catch (IOException e) {
        // See above.
      }
    }
  }
}
