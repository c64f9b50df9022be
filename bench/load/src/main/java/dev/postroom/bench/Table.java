package dev.postroom.bench;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Figures of several rounds as a table in Markdown: medians, and the spread behind them. Pure. */
final class Table {

  /** Where a second table begins below the first: side by side they would be too wide. */
  static final String FIRST_OF_COSTS = "CPU µs/accepted";

  private Table() {}

  /**
   * @param rows peer to its rounds
   */
  static String markdown(String title, Map<String, List<Figures>> rows) {
    Set<String> columns = new LinkedHashSet<>();
    rows.values().forEach(runs -> runs.forEach(run -> columns.addAll(run.columns().keySet())));
    List<String> all = List.copyOf(columns);
    StringBuilder text = new StringBuilder("### " + title + "\n");
    int costs = all.indexOf(FIRST_OF_COSTS);
    if (costs > 0) {
      part(text, all.subList(0, costs), rows);
      part(text, all.subList(costs, all.size()), rows);
    } else {
      part(text, all, rows);
    }
    return text.toString();
  }

  private static void part(
      StringBuilder text, List<String> columns, Map<String, List<Figures>> rows) {
    text.append("\n| |");
    columns.forEach(column -> text.append(' ').append(column).append(" |"));
    text.append("\n| --- |").append(" ---: |".repeat(columns.size())).append('\n');
    rows.forEach(
        (peer, runs) -> {
          text.append("| ").append(peer).append(" |");
          columns.forEach(column -> text.append(' ').append(cell(runs, column)).append(" |"));
          text.append('\n');
        });
  }

  /** The median; of several runs also the least and the greatest. */
  private static String cell(List<Figures> runs, String column) {
    double[] values =
        runs.stream()
            .map(run -> run.columns().get(column))
            .filter(value -> value != null)
            .mapToDouble(Double::doubleValue)
            .sorted()
            .toArray();
    if (values.length == 0) {
      return "–";
    }
    String median = number(median(values));
    double least = values[0];
    double greatest = values[values.length - 1];
    return least == greatest
        ? median
        : median + " (" + number(least) + "–" + number(greatest) + ")";
  }

  /** Of values in ascending order. */
  static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /** As many digits as say something: 12,345, 123, 12.3, 1.23, 0.012. */
  static String number(double value) {
    double size = Math.abs(value);
    if (value == Math.rint(value) || size >= 100) {
      return String.format(Locale.ROOT, "%,d", Math.round(value));
    }
    String format = size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }
}
