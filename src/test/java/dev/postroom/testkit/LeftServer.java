package dev.postroom.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The embedded server that a killed Postroom leaves behind, seen from outside. */
public final class LeftServer {

  private LeftServer() {}

  /** The postmaster that runs from this data directory. */
  public static Optional<ProcessHandle> of(Path data) {
    Path file = data.resolve("cluster").resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      Path real = data.toRealPath();
      return Files.readString(file)
          .lines()
          .findFirst()
          .flatMap(line -> ProcessHandle.of(Long.parseLong(line.trim())))
          .filter(ProcessHandle::isAlive)
          .filter(each -> each.info().command().orElse("").startsWith(real.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL; its children end by themselves. */
  public static void kill(Path data) {
    of(data)
        .ifPresent(
            postmaster -> {
              postmaster.destroyForcibly();
              postmaster.onExit().join();
            });
  }
}
