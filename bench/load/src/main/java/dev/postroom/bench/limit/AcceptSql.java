package dev.postroom.bench.limit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The transaction by which Postroom accepts, taken from its very source, so that what is measured
 * without a service in front is what the service does.
 *
 * @param begin how a transaction begins, one statement each
 * @param lock with {@code $1} to {@code $3}
 * @param accept with {@code $1} to {@code $9}
 */
record AcceptSql(List<String> begin, String lock, String accept) {

  /** The parameters of both statements, in order: names of pgbench's variables. */
  private static final List<String> VARIABLES =
      List.of("rooms", "participants", "keys", "names", "ids", "hashes", "texts", "heads", "rule");

  /**
   * Reads the source.
   *
   * @param bench the directory bench/ of the project
   */
  static AcceptSql of(Path bench) throws IOException {
    Path source = bench.resolveSibling("src/main/java/dev/postroom");
    String ledger = Files.readString(source.resolve("accept/Ledger.java"));
    List<String> begin =
        Arrays.stream(constant("BEGIN", Files.readString(source.resolve("db/Db.java"))).split(";"))
            .map(String::strip)
            .toList();
    String lock = constant("LOCK", ledger);
    String accept = constant("ACCEPT", ledger);
    if (parameters(lock) != 3 || parameters(accept) != VARIABLES.size()) {
      throw new IllegalStateException(
          "the accept statements have other parameters now: AcceptSql and Script must follow");
    }
    return new AcceptSql(begin, lock, accept);
  }

  private static String constant(String name, String source) {
    Matcher block =
        Pattern.compile(
                "static final String " + name + " =\\s*\"\"\"\\n(.*?)\"\"\";", Pattern.DOTALL)
            .matcher(source);
    if (!block.find()) {
      throw new IllegalStateException("no text block " + name + " in the source");
    }
    return block.group(1).stripIndent().translateEscapes().strip();
  }

  private static long parameters(String sql) {
    return Pattern.compile("\\$(\\d+)")
        .matcher(sql)
        .results()
        .mapToInt(found -> Integer.parseInt(found.group(1)))
        .max()
        .orElse(0);
  }

  /** With pgbench's variables as parameters, which go over the wire like the service's. */
  static String forPgbench(String sql) {
    return Pattern.compile("\\$(\\d+)")
        .matcher(sql)
        .replaceAll(found -> ":" + VARIABLES.get(Integer.parseInt(found.group(1)) - 1));
  }
}
