package dev.postroom.bench.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process and all its descendants have used, from the kernel's own accounting in /proc: user
 * and system time, children that ended and were waited for included. It moves in steps of a clock
 * tick, 10 ms.
 */
public final class ProcessTree {
  private static final long MICROS_PER_TICK = 10_000;

  /** Places in /proc/PID/stat behind the command's name, which may itself contain spaces. */
  private static final int UTIME = 11;

  private static final int CSTIME = 14;

  private final long root;

  public ProcessTree(long root) {
    this.root = root;
  }

  public static ProcessTree own() {
    return new ProcessTree(ProcessHandle.current().pid());
  }

  public long root() {
    return root;
  }

  /** Processor time since the processes began, µs. */
  public long cpuMicros() {
    return processes().mapToLong(ProcessTree::ticks).sum() * MICROS_PER_TICK;
  }

  /**
   * The root's own time alone, µs: for a process whose children are measured on their own, as the
   * generator's are.
   */
  public long rootCpuMicros() {
    String[] fields = fields(root);
    return (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[UTIME + 1])) * MICROS_PER_TICK;
  }

  /** Memory, bytes; what several processes share is counted once (the kernel's PSS). */
  public long memoryBytes() {
    return processes().mapToLong(ProcessTree::proportionalKiB).sum() * 1024;
  }

  private Stream<Long> processes() {
    Stream<Long> descendants =
        ProcessHandle.of(root).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid);
    return Stream.concat(Stream.of(root), descendants);
  }

  private static long ticks(long pid) {
    String[] fields = fields(pid);
    long sum = 0;
    for (int i = UTIME; i <= CSTIME && i < fields.length; i++) {
      sum += Long.parseLong(fields[i]);
    }
    return sum;
  }

  private static String[] fields(long pid) {
    String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
    return stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
  }

  private static long proportionalKiB(long pid) {
    String rollup = read(Path.of("/proc", Long.toString(pid), "smaps_rollup"));
    List<String> pss = rollup.lines().filter(line -> line.startsWith("Pss:")).toList();
    return pss.isEmpty() ? 0 : Long.parseLong(pss.get(0).replaceAll("\\D+", ""));
  }

  /** Empty when the process has ended meanwhile: its parent then has its time. */
  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException gone) {
      return "";
    } catch (IOException e) {
      if (e.getMessage() != null && e.getMessage().contains("No such process")) {
        return "";
      }
      throw new UncheckedIOException(e);
    }
  }
}
