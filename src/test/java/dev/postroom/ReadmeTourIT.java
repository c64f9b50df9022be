package dev.postroom;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.testkit.PostroomProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's tour, word for word, with the clients that it names: {@code wscat} and curl. */
class ReadmeTourIT {
  private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
  private static final Pattern RUN =
      Pattern.compile("mvn (?<maven>[^&]+) && java -jar (?<jar>\\S+)\n");
  private static final String TOUR = "## Five minutes";
  private static final String AFTER_TOUR = "## Where to read next";

  @TempDir Path work;

  @Test
  @DisplayName("A1, A2, A3, R1, R3, S5: every step shows what the README says it shows")
  void tourWorksAsWritten() throws Exception {
    try (PostroomProcess postroom =
        PostroomProcess.embedded().jar(jarOfRunCommand()).plainJvm().start()) {
      List<String> steps = steps(postroom.port());
      assertEquals(7, steps.size(), "steps");
      run(steps.get(0) + "declare -p ALICE BOB > tokens");

      String first = run(steps.get(1));
      assertContains(
          first, "\"type\":\"welcome\"", "\"type\":\"snapshot\"", "\"type\":\"message\"");
      assertContains(first, "\"type\":\"ack\"", "\"seq\":1", "\"duplicate\":false");

      String again = run(steps.get(1));
      assertContains(again, "\"type\":\"ack\"", "\"duplicate\":true", messageId(first));
      assertFalse(again.contains("\"type\":\"message\""), again);

      assertContains(
          run(steps.get(2)), "HTTP/1.1 200", "Idempotency-Replayed: true", messageId(first));
      assertContains(run(steps.get(3)), "HTTP/1.1 422", "\"code\":\"id_conflict\"");
      assertContains(run(steps.get(4)), "HTTP/1.1 201", "\"seq\":2");

      String resumed = run(steps.get(5));
      assertContains(resumed, "\"type\":\"delta\"", "Hi Alice");
      assertFalse(resumed.contains("Hello!"), resumed);

      postroom.kill9();
      postroom.start();
      assertContains(run(steps.get(6)), "\"clean\":true", "lobby is clean: numbers 1 to 2 dense");
      assertContains(run(steps.get(1)), "\"duplicate\":true", messageId(first));
    }
  }

  /**
   * The jar as the run command names it, from the project's directory. Its first half is what the
   * build at hand has just done up to this phase, so it is not done again: only its words are held.
   */
  private static Path jarOfRunCommand() throws IOException {
    Matcher command = RUN.matcher(blocks("## Run it", TOUR).get(0));
    assertTrue(command.matches(), "the run command has another shape");
    List<String> maven = List.of(command.group("maven").split(" ", -1));
    assertEquals(List.of("package"), maven.stream().filter(w -> !w.startsWith("-")).toList());
    assertTrue(maven.contains("-DskipTests"), "a newcomer does not wait for the tests");
    return Path.of(command.group("jar"));
  }

  private static List<String> steps(int port) throws IOException {
    return blocks(TOUR, AFTER_TOUR).stream()
        .map(block -> block.replace("127.0.0.1:8080", "127.0.0.1:" + port))
        .toList();
  }

  private static List<String> blocks(String from, String to) throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    return BLOCK
        .matcher(readme.substring(readme.indexOf(from), readme.indexOf(to)))
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  /** In a shell that has the tokens of the first step, as the reader's has. */
  private String run(String step) throws IOException, InterruptedException {
    String script = "set -euo pipefail\nif [ -e tokens ]; then . ./tokens; fi\n" + step;
    // Standard input stays open and silent, as a terminal's: wscat leaves when it ends.
    Process shell =
        new ProcessBuilder("bash", "-c", script)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertTrue(shell.waitFor(1, TimeUnit.MINUTES), step);
    assertEquals(0, shell.exitValue(), step + output);
    return output;
  }

  private static String messageId(String frames) {
    return Pattern.compile("\"messageId\":\"[^\"]+\"")
        .matcher(frames)
        .results()
        .map(MatchResult::group)
        .findFirst()
        .orElseThrow(() -> new AssertionError(frames));
  }

  private static void assertContains(String output, String... parts) {
    for (String part : parts) {
      assertTrue(output.contains(part), () -> part + " is missing in: " + output);
    }
  }
}
