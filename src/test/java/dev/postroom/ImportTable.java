package dev.postroom;

import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The two tables in the root package's document: who may import whom, and which library has its
 * place where.
 *
 * @param imports package to the packages that it may import
 * @param places library package to the packages and classes that may use it
 */
record ImportTable(Map<String, Set<String>> imports, Map<String, Set<String>> places) {

  static ImportTable read(Path packageInfo) throws IOException {
    Map<String, Set<String>> imports = new LinkedHashMap<>();
    Map<String, Set<String>> places = new LinkedHashMap<>();
    List<String> columns = List.of();
    boolean inside = false;
    String library = "";
    for (String line : Files.readAllLines(packageInfo)) {
      String text = line.replaceFirst("^ \\* ?", "").strip();
      if (text.equals("<pre>") || text.equals("</pre>")) {
        inside = text.equals("<pre>");
      } else if (inside && text.startsWith("|")) {
        List<String> cells = cells(text);
        if (columns.isEmpty()) {
          columns = cells.subList(1, cells.size());
        } else if (!cells.get(0).startsWith("-")) {
          imports.put(cells.get(0), marked(columns, cells.subList(1, cells.size())));
        }
      } else if (inside && line.startsWith(" *  ")) {
        places.get(library).addAll(names(text));
      } else if (inside) {
        String[] halves = text.split(" {2,}", 2);
        library = halves[0];
        places.put(library, names(halves[1]));
      }
    }
    return new ImportTable(imports, places);
  }

  private static List<String> cells(String row) {
    String[] cells = row.substring(1).split("\\|", -1);
    return Arrays.stream(cells).limit(cells.length - 1L).map(String::strip).toList();
  }

  private static Set<String> marked(List<String> columns, List<String> cells) {
    List<String> marked = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      if (cells.get(i).equals("x")) {
        marked.add(columns.get(i));
      }
    }
    return new TreeSet<>(marked);
  }

  private static Set<String> names(String list) {
    return Stream.of(list.split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(toCollection(TreeSet::new));
  }
}
