package dev.postroom.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one run measured: figures, by the column's name, which has the unit in it; and details that
 * are kept with them but stand in no table.
 */
public final class Figures {
  private final Map<String, Double> columns = new LinkedHashMap<>();
  private final Map<String, Object> details = new LinkedHashMap<>();

  /** A column; a value that is not finite (nothing was delivered, for instance) is left out. */
  public Figures put(String column, double value) {
    if (Double.isFinite(value)) {
      columns.put(column, value);
    }
    return this;
  }

  /** What has no place in a table; anything that Jackson writes. */
  public Figures detail(String name, Object value) {
    details.put(name, value);
    return this;
  }

  /** Adds all of these behind those that are there. */
  public void into(Figures others) {
    others.columns.putAll(columns);
    others.details.putAll(details);
  }

  public Map<String, Double> columns() {
    return columns;
  }

  public Map<String, Object> details() {
    return details;
  }
}
