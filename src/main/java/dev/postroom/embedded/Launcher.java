package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs the server's programs and waits for their end. PostgreSQL refuses root; for root they are
 * therefore run in a user namespace in which the same owner of the same files is nobody in
 * particular.
 */
final class Launcher {

  private final Path workplace;
  private final List<String> prefix;

  private Launcher(Path workplace, List<String> prefix) {
    this.workplace = workplace;
    this.prefix = prefix;
  }

  /** A launcher for this directory's owner; its programs' output passes through files there. */
  static Launcher in(DataDirectory directory) throws IOException, InterruptedException {
    Launcher plain = new Launcher(directory.path(), List.of());
    if (!directory.root()) {
      return plain;
    }
    Launcher shielded = new Launcher(directory.path(), List.of("unshare", "-U", "--"));
    if (shielded.canRun()) {
      return shielded;
    }
    throw new StartRefused(
        "PostgreSQL does not run as root, and this system does not let root step aside"
            + " (unshare -U failed): start Postroom as an ordinary user, or set"
            + " QUARKUS_DATASOURCE_REACTIVE_URL to a PostgreSQL that runs already.");
  }

  private boolean canRun() throws InterruptedException {
    try {
      return run(Duration.ofSeconds(10), List.of("true")).succeeded();
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Runs a program to its end.
   *
   * @throws IOException when it cannot be started at all
   */
  Finished run(Duration limit, List<String> command) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(prefix);
    whole.addAll(command);
    // A file, not a pipe: the server inherits it and would keep a pipe open for ever.
    Path output = Files.createTempFile(workplace, "output-", "");
    try {
      ProcessBuilder builder = new ProcessBuilder(whole);
      builder.directory(workplace.toFile());
      builder.redirectErrorStream(true);
      builder.redirectOutput(output.toFile());
      // The messages are read by this program; a person's own PG settings are not for this server.
      builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
      builder.environment().put("LC_ALL", "C");
      builder.environment().put("TZ", "UTC");
      Process process = builder.start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
      return new Finished(ended ? process.exitValue() : -1, text);
    } finally {
      deleteQuietly(output);
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Windows keeps a file that a program still has open; the next start removes it.
    }
  }

  /** How a program ended and what it said. */
  record Finished(int code, String output) {
    boolean succeeded() {
      return code == 0;
    }
  }
}
