package dev.postroom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.postroom.db.Faults;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The operations document says of each SQLSTATE what the code makes of it. */
class StatesTableTest {
  private static final Set<String> ALL =
      new TreeSet<>(
          List.of(
              "08xxx", "22021", "22P05", "23505", "25006", "25P02", "40001", "40P01", "53xxx",
              "55P03", "57014", "57P01", "57P02", "57P03"));

  @Test
  @DisplayName("A8, S2: every state that means something is documented, with the code it is told")
  void tableIsTheCode() throws IOException {
    Set<String> documented = new TreeSet<>();
    for (Map.Entry<String, List<String>> row : rows().entrySet()) {
      for (String state : row.getKey().split(", ", -1)) {
        documented.add(state);
        PgException failure = new PgException("", "ERROR", state.replace("xxx", "006"), "");
        String told = Faults.code(failure).wire();
        assertTrue(words(row.getValue().get(1)).contains(told), state + " is told as " + told);
      }
    }
    assertEquals(ALL, documented);
  }

  private static Map<String, List<String>> rows() throws IOException {
    return DocumentTable.below(
        "### What PostgreSQL says, and what becomes of it", Path.of("docs/operations.md"));
  }

  private static List<String> words(String cell) {
    return Arrays.asList(cell.split("\\W+", -1));
  }
}
