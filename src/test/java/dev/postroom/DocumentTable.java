package dev.postroom;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A table of a Markdown document, for tests that hold it against the code. */
final class DocumentTable {

  private DocumentTable() {}

  /**
   * The first table below a heading: the first cell of each row to its other cells, all without
   * code marks.
   */
  static Map<String, List<String>> below(String heading, Path document) throws IOException {
    List<String> lines = Files.readAllLines(document);
    List<String> table =
        lines.subList(lines.indexOf(heading) + 1, lines.size()).stream()
            .dropWhile(line -> !line.startsWith("|"))
            .takeWhile(line -> line.startsWith("|"))
            .skip(2)
            .toList();
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (String line : table) {
      List<String> cells = new ArrayList<>(cells(line));
      String first = cells.remove(0);
      if (rows.put(first, cells) != null) {
        throw new AssertionError(first + " stands twice below " + heading);
      }
    }
    return rows;
  }

  private static List<String> cells(String line) {
    return Stream.of(line.substring(1).split("\\|", 0))
        .map(cell -> cell.strip().replace("`", ""))
        .toList();
  }
}
