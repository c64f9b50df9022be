package dev.postroom.bench;

import dev.postroom.bench.host.Postgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Describes the machine and the versions, for whoever reads the results. */
final class Machine {

  private Machine() {}

  static Map<String, Object> describe(Path bench, Postgres postgres)
      throws IOException, SQLException {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("processor", line(Path.of("/proc/cpuinfo"), "model name"));
    machine.put("memory", line(Path.of("/proc/meminfo"), "MemTotal"));
    machine.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    machine.put("disk", Files.getFileStore(bench).type());
    machine.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    machine.put("node", said(bench, "node", "--version"));
    machine.put("postgres", postgres.settings());
    machine.put("commit", said(bench, "git", "rev-parse", "HEAD"));
    machine.put("changed", said(bench, "git", "status", "--porcelain").lines().count());
    return machine;
  }

  private static String line(Path file, String key) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(key))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .orElse("unknown");
  }

  private static String said(Path directory, String... command) {
    try {
      Process process = new ProcessBuilder(List.of(command)).directory(directory.toFile()).start();
      return new String(process.getInputStream().readAllBytes()).trim();
    } catch (IOException e) {
      return "";
    }
  }
}
