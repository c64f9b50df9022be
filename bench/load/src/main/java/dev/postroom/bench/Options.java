package dev.postroom.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was asked for on the command line.
 *
 * @param more options that only some scenarios know, such as {@code --events 100000}
 */
public record Options(
    Path bench, List<String> scenarios, List<String> peers, Path out, Map<String, String> more) {

  private static final List<String> DEFAULT_PEERS = List.of("postroom", "socketio", "byhand");

  /**
   * @param bench the directory bench/ of the project
   */
  static Options parse(Path bench, String[] arguments) {
    Map<String, String> more = new LinkedHashMap<>();
    List<String> scenarios = new ArrayList<>();
    for (int i = 0; i < arguments.length; i++) {
      if (!arguments[i].startsWith("--")) {
        scenarios.add(arguments[i]);
      } else if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " wants a value");
      } else {
        more.put(arguments[i].substring(2), arguments[++i]);
      }
    }
    String named = more.remove("peers");
    List<String> peers = named == null ? DEFAULT_PEERS : List.of(named.split(","));
    String out = more.remove("out");
    // What is no measurement is not kept with those.
    String kept = scenarios.equals(List.of("smoke")) ? "load/target/smoke" : "results";
    Path results = out == null ? bench.resolve(kept) : Path.of(out).toAbsolutePath();
    return new Options(bench, scenarios, peers, results, more);
  }

  /** Seconds of warming up at the least. */
  public int warmup() {
    return number("warmup", 20);
  }

  /** Seconds that are measured. */
  public int seconds() {
    return number("seconds", 20);
  }

  /** How often each peer has its turn. */
  public int rounds() {
    return number("rounds", 1);
  }

  /** Commands on their way at once of one sender, where a scenario sends as fast as it can. */
  public int inFlight() {
    return number("inflight", 4);
  }

  public int number(String name, int otherwise) {
    return Integer.parseInt(more.getOrDefault(name, Integer.toString(otherwise)));
  }

  public String text(String name, String otherwise) {
    return more.getOrDefault(name, otherwise);
  }

  /** Only variants whose name contains this; all if it is empty. */
  public String variant() {
    return text("variant", "");
  }

  /** With these values of its own, for a scenario with a fixed size. */
  public Options with(Map<String, String> values) {
    Map<String, String> changed = new LinkedHashMap<>(more);
    changed.putAll(values);
    return new Options(bench, scenarios, peers, out, changed);
  }
}
