package dev.postroom;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.PgResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a scrape shows is what the operations document names, from the first scrape on. */
@QuarkusTest
@QuarkusTestResource(PgResource.class)
class MetricsScrapeTest {
  private static final Pattern SAMPLE = Pattern.compile("^(postroom_\\w+)", Pattern.MULTILINE);
  private static final Pattern PART = Pattern.compile("_(bucket|count|sum|max)$");

  @Test
  @DisplayName("every metric of a scrape is documented, and every documented one is in it")
  void scrapeIsTheTable() throws IOException {
    RestAssured.given().auth().preemptive().oauth2("none").get("/api/rooms");
    Set<String> scraped =
        SAMPLE
            .matcher(RestAssured.get("/q/metrics").asString())
            .results()
            .map(sample -> PART.matcher(sample.group(1)).replaceFirst(""))
            .collect(toCollection(TreeSet::new));
    Set<String> documented = new TreeSet<>();
    DocumentTable.below("## Metrics", Path.of("docs/operations.md"))
        .forEach(
            (name, cells) -> {
              if (ofSink(cells)) {
                scraped.remove(name);
              } else {
                documented.add(name);
              }
            });

    assertEquals(String.join("\n", documented), String.join("\n", scraped));
  }

  /** There are none before there is a sink. */
  private static boolean ofSink(List<String> cells) {
    return cells.get(0).contains("sink");
  }
}
