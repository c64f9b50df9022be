package dev.postroom.bench.scenario;

import dev.postroom.bench.Scenario;
import dev.postroom.bench.relay.RelayScenario;
import java.util.List;
import java.util.stream.Collectors;

/** All scenarios. A new one is added here. */
public final class Scenarios {
  private static final List<Scenario> ALL =
      List.of(
          new Ceiling(),
          new Accept(),
          new Senders(),
          new FanOut(),
          Offered.latency(),
          Offered.sweep(),
          new Repeat(),
          new Jitter(),
          new Return(),
          new Idle(),
          new Limit(),
          new RelayScenario(),
          new Smoke());

  private Scenarios() {}

  public static Scenario named(String name) {
    return ALL.stream()
        .filter(scenario -> scenario.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no scenario " + name));
  }

  /** One line each. */
  public static String list() {
    return ALL.stream()
        .map(scenario -> "  %-9s %s%n".formatted(scenario.name(), scenario.about()))
        .collect(Collectors.joining());
  }
}
