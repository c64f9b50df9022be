package dev.postroom.embedded;

import dev.postroom.boot.StartRefused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the server's programs and waits for their end. PostgreSQL refuses root, so root runs them in
 * a guise: of the first kind that this system allows.
 */
final class Launcher {

  private static final int NOBODY = 65534;

  /** As we are. */
  private static final Guise PLAIN = new Guise(List.of(), -1);

  /**
   * The first keeps the owner of the files and drops every power. Containers often forbid it; the
   * second then changes the user, and keeps one power only: to reach a directory below root's home.
   */
  private static final List<Guise> FOR_ROOT =
      List.of(
          new Guise(List.of("unshare", "-U", "--"), 0),
          new Guise(
              List.of(
                  "setpriv",
                  "--reuid=" + NOBODY,
                  "--regid=" + NOBODY,
                  "--clear-groups",
                  "--inh-caps=-all,+dac_override",
                  "--ambient-caps=+dac_override",
                  // Otherwise access(2), which initdb asks, would look at the user alone.
                  "--securebits=+no_setuid_fixup",
                  "--"),
              NOBODY));

  private final Path workplace;
  private final Guise guise;

  private Launcher(Path workplace, Guise guise) {
    this.workplace = workplace;
    this.guise = guise;
  }

  /** A launcher for this directory's owner; its programs' output passes through files there. */
  static Launcher in(DataDirectory directory) throws IOException, InterruptedException {
    if (!directory.root()) {
      return new Launcher(directory.path(), PLAIN);
    }
    for (Guise guise : FOR_ROOT) {
      Launcher launcher = new Launcher(directory.path(), guise);
      if (launcher.works()) {
        return launcher;
      }
    }
    throw new StartRefused(
        "PostgreSQL does not run as root, and this system lets root be nobody else (neither"
            + " unshare -U nor setpriv works): start Postroom as an ordinary user, or set"
            + " QUARKUS_DATASOURCE_REACTIVE_URL to a PostgreSQL that runs already.");
  }

  private boolean works() throws InterruptedException {
    try {
      return run(Duration.ofSeconds(10), List.of("true")).succeeded();
    } catch (IOException | StartRefused e) {
      return false;
    }
  }

  /** Makes the programs the owner of these files, whoever was it under another guise. */
  void adopt(Path tree) throws IOException {
    if (guise.owner < 0 || guise.owner == owner(tree)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(tree)) {
      // The top comes last: as long as it has the old owner, the work is not done.
      List<Path> all = new ArrayList<>(walk.toList());
      for (int i = all.size() - 1; i >= 0; i--) {
        Files.setAttribute(all.get(i), "unix:uid", guise.owner, LinkOption.NOFOLLOW_LINKS);
      }
    }
  }

  private static int owner(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:uid");
  }

  /**
   * Runs a program to its end.
   *
   * @throws StartRefused when it cannot be started at all
   */
  Finished run(Duration limit, List<String> command) throws IOException, InterruptedException {
    List<String> whole = new ArrayList<>(guise.prefix);
    whole.addAll(command);
    // A file, not a pipe: the server inherits it and would keep a pipe open for ever.
    Path output = Files.createTempFile(workplace, Leftovers.OUTPUT, "");
    try {
      Process process = start(builder(whole, output));
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

  private static Process start(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new StartRefused(
          "PostgreSQL's programs do not run ("
              + e.getMessage()
              + "): set "
              + DataDirectory.VARIABLE
              + " to a directory where programs may run.",
          e);
    }
  }

  private ProcessBuilder builder(List<String> command, Path output) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(workplace.toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(output.toFile());
    // A person's own PG settings are not for this server, and its messages are read here.
    builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
    builder.environment().put("LC_ALL", "C");
    builder.environment().put("TZ", "UTC");
    return builder;
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Windows keeps a file that a program still has open; the next start removes it.
    }
  }

  /**
   * Who runs the programs.
   *
   * @param prefix the command in front of theirs
   * @param owner the number of the user who must own the data, or -1 for whoever does
   */
  private record Guise(List<String> prefix, int owner) {}

  /** How a program ended and what it said. */
  record Finished(int code, String output) {
    boolean succeeded() {
      return code == 0;
    }
  }
}
