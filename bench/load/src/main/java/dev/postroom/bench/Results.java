package dev.postroom.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps the figures of all runs: one JSON file each, and the tables at the end. */
final class Results {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final Path directory;
  private final Map<String, Object> machine;
  private final Map<String, Map<String, List<Figures>>> tables = new LinkedHashMap<>();

  Results(Path directory, Map<String, Object> machine) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.machine = machine;
  }

  /** Writes one run's file and remembers its figures for the table. */
  void add(Scenario scenario, Case what, int round, Options options, Figures figures)
      throws IOException {
    Instant now = Instant.now();
    Map<String, Object> run = new LinkedHashMap<>();
    run.put("scenario", scenario.name());
    run.put("variant", what.variant());
    run.put("peer", what.peer());
    run.put("round", round);
    run.put("at", now.toString());
    run.put("options", options.more());
    run.put("figures", figures.columns());
    run.put("details", figures.details());
    run.put("machine", machine);
    String name =
        String.join(
                "_", scenario.name(), what.variant(), what.peer(), STAMP.format(now), "" + round)
            .replaceAll("[^A-Za-z0-9_.-]+", "-");
    Files.writeString(directory.resolve(name + ".json"), JSON.writeValueAsString(run) + "\n");
    tables
        .computeIfAbsent(scenario.name() + ": " + what.variant(), title -> new LinkedHashMap<>())
        .computeIfAbsent(what.peer(), peer -> new ArrayList<>())
        .add(figures);
  }

  /** All tables in Markdown. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    tables.forEach((title, rows) -> text.append(Table.markdown(title, rows)).append('\n'));
    return text.toString();
  }
}
