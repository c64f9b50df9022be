package dev.postroom.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The file that the server writes its log to, and what it says there when it does not start. */
final class ServerLog {

  private static final String FILE = "postgresql.log";
  private static final long ROTATE_BYTES = 10L << 20;
  private static final Pattern COMPLAINT =
      Pattern.compile("(?:(?:FATAL|PANIC|ERROR|error): +|(?=could not|cannot))(.*?)[.\\s]*$");

  private final Path file;

  ServerLog(Path directory) {
    this.file = directory.resolve(FILE);
  }

  /** Puts a long log aside; one older is kept. */
  void rotate() throws IOException {
    if (size() > ROTATE_BYTES) {
      Path older = file.resolveSibling(FILE + ".1");
      Files.move(file, older, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** The file, which is there from then on, for its owner only. */
  Path create() throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file);
      DataDirectory.restrict(file, "rw-------");
    }
    return file;
  }

  /** In bytes; 0 where there is none yet. */
  long size() throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** What was written after the log had that size. */
  String since(long size) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    byte[] all = Files.readAllBytes(file);
    int from = (int) Math.min(size, all.length);
    return new String(all, from, all.length - from, StandardCharsets.UTF_8);
  }

  /** Of several lines the one that says why, without its time and process; else the last. */
  static String complaint(String output) {
    String last = "it said nothing";
    for (String line : output.lines().toList()) {
      Matcher found = COMPLAINT.matcher(line);
      if (found.find()) {
        return found.group(1).trim();
      }
      last = line.isBlank() ? last : line.trim();
    }
    return last;
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
