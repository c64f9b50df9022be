package dev.postroom.bench.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A peer's server as a process of its own. Its output goes to a file under bench/load/target/logs;
 * it is killed when this JVM ends.
 */
public final class ServerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
  private static final Pattern READY = Pattern.compile("\\{\"ready\":true,\"port\":(\\d+)}");

  private final Process process;
  private final Path log;
  private final Thread atExit;

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.atExit = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Starts a command.
   *
   * @param logs the directory of its log
   * @param directory where it runs
   */
  public static ServerProcess start(
      String name, Path logs, Path directory, Map<String, String> environment, List<String> command)
      throws IOException {
    Files.createDirectories(logs);
    Path log = Files.createTempFile(logs, name + "-", ".log");
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().keySet().removeIf(each -> each.matches("(QUARKUS|POSTROOM|MP_JWT)_.*"));
    builder.environment().putAll(environment);
    return new ServerProcess(builder.start(), log);
  }

  /** Waits for the line {@code {"ready":true,"port":N}} and returns its port. */
  public int awaitReadyLine() throws InterruptedException {
    int[] port = new int[1];
    await(
        () -> {
          Matcher line = READY.matcher(read());
          if (line.find()) {
            port[0] = Integer.parseInt(line.group(1));
          }
          return port[0] != 0;
        });
    return port[0];
  }

  /** Waits until the condition holds; fails when the process ends before that. */
  public void await(Condition condition) throws InterruptedException {
    long end = System.nanoTime() + START_LIMIT.toNanos();
    while (!condition.holds()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        close();
        throw new IllegalStateException("it does not run, see " + log + ":\n" + read());
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** What is waited for. */
  public interface Condition {
    boolean holds();
  }

  private String read() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** It and its children. */
  public ProcessTree processes() {
    return new ProcessTree(process.pid());
  }

  /** SIGTERM, and SIGKILL if that is not enough. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IllegalStateException exiting) {
      // The hook is running already.
    }
  }
}
