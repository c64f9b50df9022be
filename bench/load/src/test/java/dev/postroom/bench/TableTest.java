package dev.postroom.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void aCellIsTheMedianAndTheSpread() {
    Map<String, List<Figures>> rows = new LinkedHashMap<>();
    rows.put("a", List.of(rate(1_200), rate(1_000), rate(1_900)));
    rows.put("b", List.of(rate(12.34)));

    assertEquals(
        """
        ### accept: hot

        | | accepted/s |
        | --- | ---: |
        | a | 1,200 (1,000–1,900) |
        | b | 12.3 |
        """,
        Table.markdown("accept: hot", rows));
  }

  @Test
  void whatAPeerDoesNotHaveIsADash() {
    Map<String, List<Figures>> rows = new LinkedHashMap<>();
    rows.put("a", List.of(rate(1).put("lost", 0)));
    rows.put("b", List.of(rate(2)));

    assertEquals("| b | 2 | – |", Table.markdown("x", rows).lines().toList().get(5));
  }

  @Test
  void costsStandInATableOfTheirOwn() {
    Figures figures = rate(5).put(Table.FIRST_OF_COSTS, 7);

    assertEquals(
        List.of("### x", "", "| | accepted/s |", "| --- | ---: |", "| a | 5 |"),
        Table.markdown("x", Map.of("a", List.of(figures))).lines().limit(5).toList());
  }

  @Test
  void aRatioWithoutDenominatorIsLeftOut() {
    assertEquals(Map.of(), new Figures().put("CPU µs/delivery", 1.0 / 0).columns());
  }

  @Test
  void theMedianOfTwoLiesBetween() {
    assertEquals(3, Table.median(new double[] {2, 4}));
  }

  @Test
  void numbersHaveTheDigitsThatSaySomething() {
    assertEquals(
        List.of("12,346", "123", "12.3", "1.23", "0.012", "0"),
        List.of(12_345.6, 123.4, 12.34, 1.234, 0.0123, 0.0).stream().map(Table::number).toList());
  }

  private static Figures rate(double perSecond) {
    return new Figures().put("accepted/s", perSecond);
  }
}
