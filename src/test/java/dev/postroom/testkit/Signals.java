package dev.postroom.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** Signals to processes that the test itself started, by number. */
final class Signals {

  private Signals() {}

  static void send(String signal, long pid) {
    send(signal, List.of(pid));
  }

  static void send(String signal, List<Long> pids) {
    if (pids.isEmpty()) {
      return;
    }
    List<String> command =
        Stream.concat(Stream.of("kill", "-" + signal), pids.stream().map(String::valueOf)).toList();
    try {
      // One of several may have ended meanwhile; that is no failure.
      new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
