package dev.postroom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.postroom.testkit.HandOverPoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HandOverPointsTableTest {

  @Test
  @DisplayName("docs/architecture.md lists the points at which a node can die, in their order")
  void table() throws IOException {
    assertEquals(
        Stream.of(HandOverPoint.values()).map(HandOverPoint::word).toList(),
        new ArrayList<>(
            DocumentTable.below("### Where a node can die", Path.of("docs", "architecture.md"))
                .keySet()));
    assertEquals(9, List.of(HandOverPoint.values()).size());
  }
}
