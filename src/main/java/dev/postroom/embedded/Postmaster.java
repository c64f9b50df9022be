package dev.postroom.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The server process as its own file {@code postmaster.pid} tells of it. The file outlives a killed
 * server, and its number may by then belong to anything; so the process counts only when it runs
 * the programs of this very data directory.
 */
record Postmaster(ProcessHandle process, int port, Path dataDirectory) {

  private static final String FILE = "postmaster.pid";
  private static final int PID_LINE = 0;
  private static final int PORT_LINE = 3;

  /** The server that runs on this cluster, if one does. */
  static Optional<Postmaster> of(Path cluster, Path dataDirectory) throws IOException {
    try {
      List<String> lines = Files.readAllLines(cluster.resolve(FILE));
      if (lines.size() <= PORT_LINE) {
        return Optional.empty();
      }
      int port = Integer.parseInt(lines.get(PORT_LINE).trim());
      return ProcessHandle.of(Long.parseLong(lines.get(PID_LINE).trim()))
          .map(process -> new Postmaster(process, port, dataDirectory))
          .filter(Postmaster::runs);
    } catch (NoSuchFileException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Whether it still runs. That the process is there does not say so: an ended one stays until its
   * parent asks, and in a container that may be never.
   */
  boolean runs() {
    // The path of another user's program is hidden, its command line is not.
    ProcessHandle.Info info = process.info();
    String program = info.command().or(info::commandLine).orElse("");
    return program.startsWith(dataDirectory + dataDirectory.getFileSystem().getSeparator());
  }

  /** Takes away the file of a server that is no more. */
  static void forget(Path cluster) throws IOException {
    Files.deleteIfExists(cluster.resolve(FILE));
  }
}
