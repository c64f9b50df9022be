package dev.postroom.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.protocol.FrameShapes.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds {@code docs/protocol.md} against the code and the tests that cite it. */
class ProtocolDocTest {
  private static final Pattern DEFINITION = Pattern.compile("(?m)^\\* \\*\\*([A-Z]+-?\\d+)\\*\\*");
  private static final Pattern CITATION = Pattern.compile("\\bPR-\\d+\\b");
  private static final Pattern ROW = Pattern.compile("^\\| (.*) \\|$");

  private final String document;

  ProtocolDocTest() throws IOException {
    document = Files.readString(Path.of("docs/protocol.md"));
  }

  @Test
  @DisplayName("every clause id is defined once")
  void clausesOnce() {
    List<String> defined = all(DEFINITION, document);
    assertEquals(defined, new ArrayList<>(new LinkedHashSet<>(defined)));
    assertTrue(defined.size() > 50, defined.toString());
  }

  @Test
  @DisplayName("every clause that a test or the AsyncAPI document cites is defined")
  void citedClauses() throws IOException {
    Set<String> defined = new HashSet<>(all(DEFINITION, document));
    List<Path> citing = new ArrayList<>(List.of(Path.of("docs/asyncapi.yaml")));
    try (Stream<Path> files = Files.walk(Path.of("src"))) {
      files.filter(file -> file.toString().endsWith(".java")).forEach(citing::add);
    }
    for (Path file : citing) {
      for (String cited : all(CITATION, Files.readString(file))) {
        assertTrue(defined.contains(cited), file + " cites " + cited);
      }
    }
  }

  @Test
  @DisplayName("every frame has its section, and its table has exactly the frame's fields")
  void frames() {
    assertEquals(FrameShapes.of(ClientFrame.class), described("Client frames"));
    assertEquals(FrameShapes.of(ServerFrame.class), described("Server frames"));
  }

  @Test
  @DisplayName("the error table is the code's: code, temporary, HTTP status")
  void errors() {
    assertEquals(
        Arrays.stream(ErrorCode.values())
            .map(
                code ->
                    List.of(
                        "`" + code.wire() + "`",
                        code.temporary() ? "yes" : "no",
                        String.valueOf(code.httpStatus())))
            .toList(),
        rows(section("Errors")).stream().map(row -> row.subList(0, 3)).toList());
  }

  @Test
  @DisplayName("the table of closes is the code's")
  void closes() {
    assertEquals(
        Arrays.stream(CloseCode.values()).map(code -> "`" + code.code() + "`").toList(),
        rows(section("Closes")).stream().map(row -> row.get(0)).toList());
  }

  @Test
  @DisplayName("the frames in the text are frames: what the client says can be read")
  void examples() {
    int seen = 0;
    for (String line : section("A conversation").lines().toList()) {
      if (line.startsWith("> ")) {
        assertInstanceOf(Decoded.Frame.class, FrameCodec.decode(line.substring(2)), line);
        seen++;
      }
    }
    assertEquals(4, seen);
  }

  private Map<String, Map<String, Field>> described(String heading) {
    Map<String, Map<String, Field>> frames = new TreeMap<>();
    for (String part : section(heading).split("\n### ", -1)) {
      if (part.startsWith("`")) {
        Map<String, Field> fields = new LinkedHashMap<>();
        for (List<String> row : rows(part)) {
          String type = row.get(1).replace(", optional", "");
          fields.put(
              row.get(0).replace("`", ""),
              new Field(type.equals("list of messages") ? "list" : type, !type.equals(row.get(1))));
        }
        frames.put(part.substring(1, part.indexOf('`', 1)), fields);
      }
    }
    return frames;
  }

  private String section(String heading) {
    int from = document.indexOf("\n## " + heading + "\n");
    int to = document.indexOf("\n## ", from + 1);
    return document.substring(from, to < 0 ? document.length() : to);
  }

  /** The cells of a table without its head. */
  private static List<List<String>> rows(String text) {
    List<List<String>> rows = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.add(List.of(row.group(1).split(" \\| ?", -1)));
      }
    }
    return rows.isEmpty() ? rows : rows.subList(2, rows.size());
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(found.groupCount())).toList();
  }
}
